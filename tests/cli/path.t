# A path hop by hop, and who else uses its fullest cable between switches.
$ odonata path torus:k=3x3,c=1 H0_0 H5_0 --most 2
from  H0_0
to    H5_0
lid   15
sl    0
path  arrives
hops
  from  from guid           from port  to    to guid             to port  at   rate   vl   load
  H0_0  0x0d0a000000400009          1  S0_0  0x0d0a000000200000        1       4xQDR   0      1
  S0_0  0x0d0a000000200000          5  S0_2  0x0d0a000000200002        4  0 0  4xQDR   0  0.375
  S0_2  0x0d0a000000200002          2  S1_2  0x0d0a000000200005        2  2 0  4xQDR   0  0.375
  S1_2  0x0d0a000000200005          1  H5_0  0x0d0a00000040000e        1  2 1  4xQDR   0      1
fullest
  from       S0_0
  from guid  0x0d0a000000200000
  from port  5
  to         S0_2
  to guid    0x0d0a000000200002
  to port    4
  rate       4xQDR
  load       0.375
  pairs      3
  senders    1
  receivers  3
  senders most
    host  guid                port  pairs
    H0_0  0x0d0a000000400009     1      3
  receivers most
    host  guid                port  pairs
    H2_0  0x0d0a00000040000b     1      1
    H5_0  0x0d0a00000040000e     1      1

# A packet that does not arrive: the LFT of one switch has no entry.
$ odonata export torus:k=3x3,c=1 --format lfts -o t.lfts; sed -i '0,/^0x000c/s/^0x000c ... /0x000c 255 /' t.lfts; odonata path torus:k=3x3,c=1 H0_0 12 --tables t.lfts | sed -n 1,6p
from     H0_0
to       H2_0
lid      12
sl       0
path     ends: the LFT has no port for the LID
ends at  S0_0

# Hosts are named by name, GUID or LID, and words that name nothing, or several, are refused.
$ odonata path torus:k=3x3,c=1 nobody 1
! odonata: expected a node's name, GUID (0x...) or LID, perhaps with /PORT, found "nobody", which nothing in the fabric has
= 3

$ odonata path torus:k=3x3,c=1 H0_0
! odonata path: expected FROM and TO, found only FROM
! Try `odonata path --help' or `odonata path --usage' for more information.
= 2

$ odonata path torus:k=3x3,c=1 --cable S0_0/9
! odonata: S0_0/9: expected a port from 1 to 5 of "S0_0"
= 3

# Slow pairs of a benchmark: the figures tell which are slow, and what they share is ranked.
$ printf '%s\n' '# GB/s' 'H0_0 H3_0 5.9' 'H0_0 H4_0 11.8' '"H0_0" H1_0 11.9' 'H1_0 H3_0 12.0' 'H6_0 H3_0 11.7' 'H0_0 H2_0 11.7' >slow; odonata path torus:k=3x3,c=1 --slow slow
pairs       6
slow pairs  1
slow below  9.44
suspects
  from  from guid           from port  to    to guid             to port  suspect          score  explains  slow  fine  cables alike
  S0_0  0x0d0a000000200000          2  S1_0  0x0d0a000000200003        2  one direction  0.70711         1     1     1             0

$ printf '%s\n' 'H0_0 nobody' >wrong; odonata path torus:k=3x3,c=1 --slow wrong
! odonata: wrong:1: expected a node's name, GUID (0x...) or LID, perhaps with /PORT, found "nobody", which nothing in the fabric has
= 3

# An acceptance test: rounds of pairs that share no cable. What was measured is judged by the cables.
$ odonata accept flatfly:k=3,c=1 --times 1 --format pairs | grep -v '^#'
1 0x0d0a000000400006 0x0d0a000000400004 4.000
1 0x0d0a000000400004 0x0d0a000000400006 4.000
2 0x0d0a000000400005 0x0d0a000000400004 4.000
2 0x0d0a000000400006 0x0d0a000000400005 4.000
3 0x0d0a000000400005 0x0d0a000000400006 4.000
3 0x0d0a000000400004 0x0d0a000000400005 4.000

$ odonata accept flatfly:k=3,c=1 --times 1 --format pairs | awk '/^[0-9]/{ print $2, $3, NR == 3 ? 1 : $4 }' >measured; odonata accept flatfly:k=3,c=1 --measured measured
accepted               no
pairs                  6
slow pairs             1
suspects
  from  from guid           from port  to  to guid             to port  suspect        score  explains  slow  fine  cables alike
  S0    0x0d0a000000200000          3  S2  0x0d0a000000200002        2  one direction      1         1     1     0             0
channels not measured  0
= 1

# A file that was cut short is no test of every cable. A host's packets to itself cross none.
$ odonata accept flatfly:k=3,c=1 --times 1 --format pairs | awk '/^[0-9]/{ print $2, $3, $4 }' >all; odonata accept flatfly:k=3,c=1 --measured all
accepted               yes
pairs                  6
slow pairs             0
channels not measured  0

$ sed '$d' all >cut; echo 'H1_0 H1_0 4' >>cut; odonata accept flatfly:k=3,c=1 --measured cut
accepted               no
pairs                  6
slow pairs             0
channels not measured  1
not measured
  from  from guid           from port  to  to guid             to port
  S0    0x0d0a000000200000          2  S1  0x0d0a000000200001        2
= 1

# Pairs of a round have TCP ports of their own.
$ odonata accept flatfly:k=3,c=1 --times 1 --format perftest | awk '/^measure /{ print $10 }' | sort -n | uniq | wc -l
6

# Without the rate of a cable a pair is not judged.
$ odonata generate flatfly:k=3,c=1 | sed '/"S0"\[2\]/s/4xQDR/4x???/; /"S1"\[2\]/s/4xQDR/4x???/' >dim.net; odonata accept dim.net --times 1 --format pairs | awk '/^[0-9]/{ print $2, $3, 4 }' >four; odonata accept dim.net --measured four
accepted               no
pairs                  6
slow pairs             0
pairs not judged       2
channels not measured  0
= 1

