# Each switch and cable lost in turn: of a tree with one spine, that spine and each cable matter.
$ odonata whatif pgft:m=2x3,w=1x1 --worst 4
topology               fattree
switches               4
hosts                  6
cables                 9
engine                 fattree
vls                    1
uniform                0.625
shifts                 0.57143
losses tried           7
that cut pairs         4
that no engine serves  0
with another engine    4
with more vls          3
least uniform          0.625
worst
  lost                          pairs cut  uniform  shifts  engine   vls  hosts off  changed entries  changed sls
  switch S3                            24                   layered    1          0               18            0
  cable S0 port 3 to S3 port 1         16                   layered    8          0               16            0
  cable S1 port 3 to S3 port 2         16                   layered    8          0               16            0
  cable S2 port 3 to S3 port 3         16                   layered    8          0               16            0

# A wrong list, or too many at a time.
$ odonata whatif demo-dragonfly --random 3 --together 900
! odonata: expected up to 126 switches and cables to fail, found 900
= 3
$ odonata whatif demo-dragonfly --random 3 --together 2 --seed 5 --json --worst 1 | head -30
{
  "topology": "dragonfly",
  "switches": 36,
  "hosts": 72,
  "cables": 162,
  "engine": "dragonfly",
  "vls": 2,
  "uniform": 1.0,
  "shifts": 0.2,
  "losses_tried": 3,
  "that_cut_pairs": 0,
  "that_no_engine_serves": 0,
  "with_another_engine": 0,
  "with_more_vls": 1,
  "least_uniform": 0.556452,
  "worst": [
    {
      "lost": "cable g8r0 port 5 to g8r3 port 3 and cable g1r1 port 5 to g1r3 port 4",
      "pairs_cut": 0,
      "uniform": 0.572581,
      "shifts": 0.166667,
      "engine": "dragonfly",
      "vls": 2,
      "hosts_off": 0,
      "changed_entries": 108,
      "changed_sls": 0
    }
  ]
}
$ odonata whatif demo-dragonfly --engine ador
! odonata: ador: does not route the kind "dragonfly"
= 4

# The only switch that has hosts, and then one that has none: no traffic is left to rate.
$ odonata whatif flatfly:k=1,c=2 --worst 1 | tail -2
  lost       pairs cut  uniform  shifts  engine   vls  hosts off  changed entries  changed sls
  switch S0          0        0       0  layered    1          2                0            0
$ printf 'Switch\t2 "S0"\n[1]\t"S1"[1]\n\nSwitch\t2 "S1"\n[1]\t"S0"[1]\n' >bare.net; odonata whatif bare.net | sed -n '2,3p; /losses/p'
switches               2
hosts                  0
losses tried           3

# Two fabrics in one file: what was never connected is not cut by a loss.
$ odonata generate flatfly:k=3x3,c=1 | sed 's/ lid [0-9]*//g' >one.net
$ sed 's/"\([SH]\)/"B\1/g; s/0xd0a/0xd0b/g; s/(d0a/(d0b/g' one.net >other.net
$ cat one.net other.net >two.net; odonata whatif two.net --worst 1 | grep -E "^(losses|that cut)"
losses tried           54
that cut pairs         0
$ odonata generate mesh:k=3,c=2 -o line.net; odonata whatif line.net --worst 5 | sed -n "/^worst/,$ p" | cut -c1-50
worst
  lost                          pairs cut  uniform
  cable S0 port 3 to S1 port 4         16         
  cable S1 port 3 to S2 port 4         16         
  switch S1                             8         
  switch S0                             0     0.75
  switch S2                             0     0.75

# What goes with --random alone.
$ odonata whatif two.net --together 3
! odonata whatif: --together: expected --random beside it, found none
! Try `odonata whatif --help' or `odonata whatif --usage' for more information.
= 2
$ odonata transition two.net --seed 3
! odonata transition: --seed: expected --random beside it, found none
! Try `odonata transition --help' or `odonata transition --usage' for more
! information.
= 2

# Nothing that routes it.
$ odonata compare line.net --engines dragonfly
! odonata: no engine of the list can route the fabric: dragonfly: does not route the kind "mesh"
= 4
$ odonata compare line.net --engines nosuch
! odonata compare: --engines: expected an engine, found 'nosuch'; 'odonata list engines' lists them
! Try `odonata compare --help' or `odonata compare --usage' for more
! information.
= 2
