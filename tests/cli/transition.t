# Each switch and cable lost in turn. Detours on a FlatFly change what they must, and no more.
$ odonata transition flatfly:k=4x4,c=1 --worst 1
topology  flatfly
switches  16
hosts     16
cables    64
engine    dor
scope     packets with the SLs of their paths; other SLs are not judged
losses
  lost      tried  declined  no cycle  no mixed cycle  no loop  all arrive  unharmed  safe  changed entries  least entries  at most twice  least as short  at most twice as short
  switches     16         0        16              16       16          16        16    16              288            288             16             288                      16
  cables       48         0        48              48       48          48        48    48              480            480             48             480                      48
worst
  lost         engine  cycle  mixed cycle  looping  lost pairs  cut looping  changed entries  least entries  least as short
  switch S0_0  dor         0            0        0           0            0               18             18              18

# Of a dragonfly, the switches of a group send to another by way of the one whose cable was lost.
$ odonata transition dragonfly:p=1,a=4,h=1 --random 20 --together 2 --seed 3 --worst 2 --json | head -56
{
  "topology": "dragonfly",
  "switches": 20,
  "hosts": 20,
  "cables": 60,
  "engine": "dragonfly",
  "scope": "packets with the SLs of their paths; other SLs are not judged",
  "losses": [
    {
      "lost": "switches",
      "tried": 3,
      "declined": 0,
      "no_cycle": 3,
      "no_mixed_cycle": 0,
      "no_loop": 0,
      "all_arrive": 3,
      "unharmed": 3,
      "safe": 0,
      "changed_entries": 276,
      "least_entries": 210,
      "at_most_twice": 3,
      "least_as_short": 276,
      "at_most_twice_as_short": 3
    },
    {
      "lost": "cables",
      "tried": 9,
      "declined": 0,
      "no_cycle": 9,
      "no_mixed_cycle": 4,
      "no_loop": 5,
      "all_arrive": 9,
      "unharmed": 9,
      "safe": 5,
      "changed_entries": 540,
      "least_entries": 412,
      "at_most_twice": 9,
      "least_as_short": 522,
      "at_most_twice_as_short": 9
    },
    {
      "lost": "both",
      "tried": 8,
      "declined": 0,
      "no_cycle": 8,
      "no_mixed_cycle": 0,
      "no_loop": 0,
      "all_arrive": 8,
      "unharmed": 8,
      "safe": 0,
      "changed_entries": 526,
      "least_entries": 424,
      "at_most_twice": 8,
      "least_as_short": 526,
      "at_most_twice_as_short": 8
    }

# In a fat tree the order by which paths go up and down may change. Mostly paths to switches see it. Two cables
# of this small one change the engine.
$ odonata transition fattree:k=4,levels=3 --worst 2
topology  fattree
switches  20
hosts     16
cables    48
engine    fattree
scope     packets with the SLs of their paths; other SLs are not judged
losses
  lost      tried  declined  no cycle  no mixed cycle  no loop  all arrive  unharmed  safe  changed entries  least entries  at most twice  least as short  at most twice as short
  switches     20         0        18              12       12          20        18    12              912            658             20             820                      20
  cables       32         0        32               0        0          32        32     0             1220            743             32            1006                      32
worst
  lost       engine   cycle  mixed cycle  looping  lost pairs  cut looping  changed entries  least entries  least as short
  switch S9  fattree      4            2        0           0          118              130             75             102
  switch S8  fattree      4            2        0           0          118              128             73             100
$ odonata transition fattree:k=4,levels=3 --worst 2 --hosts-only
topology         fattree
switches         20
hosts            16
cables           48
engine           fattree
scope            packets with the SLs of their paths; other SLs are not judged
lids not judged  20
losses
  lost      tried  declined  no cycle  no mixed cycle  no loop  all arrive  unharmed  safe  changed entries  least entries  at most twice  least as short  at most twice as short
  switches     20         0        20              12       12          20        20    12              440            304             20             400                      20
  cables       32         0        32               0        0          32        32     0              648            337             20             480                      32
worst
  lost       engine   cycle  mixed cycle  looping  lost pairs  cut looping  changed entries  least entries  least as short
  switch S8  fattree      0            2        0           0           32               40             26              38
  switch S9  fattree      0            2        0           0           32               40             26              38

# Tables that do not go together.
$ odonata export torus:k=5x5,c=1 --format lfts -o t.lfts; odonata export torus:k=5x5,c=1 --format sl2vl -o t.sl2vl
$ odonata export torus:k=5x5,c=1 --format psl -o t.psl; odonata export torus:k=5x5,c=1 --engine updown --format lfts -o u.lfts
$ odonata transition torus:k=5x5,c=1 --old t.lfts,t.sl2vl,t.psl --new u.lfts
switches         25
hosts            25
cables           75
safe             no
scope            packets with the SLs of their paths; other SLs are not judged
pairs            1200
cut pairs        0
cycle alone      0
cycle            4
mixed cycle      4
looping          0
lost pairs       0
cut looping      0
changed entries  506
least entries    0
least as short   0
= 1
$ odonata transition torus:k=5x5,c=1 --old t.lfts,t.sl2vl,t.psl --new t.lfts,t.sl2vl,t.psl
switches         25
hosts            25
cables           75
safe             yes
scope            packets with the SLs of their paths; other SLs are not judged
pairs            1200
cut pairs        0
cycle alone      0
cycle            0
mixed cycle      0
looping          0
lost pairs       0
cut looping      0
changed entries  0
least entries    0
least as short   0

# SLs that no file gives are a guess: SL 0 is safe here, and SL 5 drops all.
$ odonata export torus:k=5x5,c=1 --engine updown --format sl2vl | awk '$3 == ":" { $9 = 15 } { print }' >drop.sl2vl
$ odonata transition torus:k=5x5,c=1 --old u.lfts,drop.sl2vl --new u.lfts,drop.sl2vl | grep -E "^(safe|scope)  "
safe             incomplete
scope            packets with the SLs of their paths, a guessed SL 0; other SLs are not judged

# The old tables are those of a fabric that had more.
$ odonata generate flatfly:k=4x4,c=1 -o whole.net; odonata generate whole.net --damage 10%,0% -o less.net
$ odonata export whole.net --format lfts -o old.lfts; odonata export less.net --format lfts -o new.lfts
$ odonata transition less.net --was whole.net --old old.lfts --new new.lfts
switches         14
hosts            14
cables           50
safe             yes
scope            packets with the SLs of their paths; other SLs are not judged
pairs            328
cut pairs        36
cycle alone      0
cycle            0
mixed cycle      0
looping          0
lost pairs       0
cut looping      0
changed entries  36
least entries    36
least as short   36

$ odonata transition demo-dragonfly --old t.lfts
! odonata transition: --old: expected --new beside it, found none
! Try `odonata transition --help' or `odonata transition --usage' for more
! information.
= 2
$ odonata transition demo-dragonfly --was demo-dragonfly
! odonata transition: --was: expected --old beside it, found none
! Try `odonata transition --help' or `odonata transition --usage' for more
! information.
= 2
$ odonata transition demo-dragonfly --old none --new none
! odonata: none: cannot open: No such file or directory
= 3
$ odonata transition demo-dragonfly --random 3 --together 900
! odonata: expected up to 126 switches and cables to fail, found 900
= 3

# New tables that lose packets for good are not safe, however calmly they come.
$ sed 's/^0x001f [0-9]*/0x001f 255/' u.lfts >lost.lfts
$ odonata transition torus:k=5x5,c=1 --old u.lfts --new lost.lfts | grep -E "^(safe|new tables|lost)"
safe             no
new tables       LID 31 ends at switch "S0_0" (GUID 0x0d0a000000200000), which has no entry (port 255)
lost pairs       0
