# Routings side by side; entries are counted from the first row.
$ odonata compare flatfly:k=3x3,c=2 --vls 2 --permutations 3
topology  flatfly
switches  9
hosts     18
cables    36
routings
  routing    safe  safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  changed entries  uniform  worst shift  mean permutation  worst permutation
  dor        yes   yes                   0-15              0-15                        1    1             2          0                0        1          0.5               0.5                0.5
  mixed-dor  yes   no                    none              none                        2    2             2          0               36        1          0.5               0.5            0.33333
  layered    yes   no                    none              none                        2    2             2          0               60        1         0.25           0.44444               0.25
  updown     yes   yes                   0-15              0-15                        1    1             3          0               57  0.94444         0.25               0.5               0.25
  turns      yes   yes                   0-15              0-15                        2    1             3          0               82        1      0.33333               0.5               0.25

# What is installed where no engine is named is a row, too, where it is none of the engines' own tables.
$ odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 --damage 5%,3% >hurt.net; odonata compare hurt.net --permutations 3 >rows; awk '/^portfolio/ { exit } /^  (computed by|dragonfly) / { print $1, ($(NF - 4) > 0) }' rows
computed 0
dragonfly 1
$ odonata analyze hurt.net | awk '/^saturation/ { print $4 }' | diff - <(awk '/computed/ { print $(NF - 3) }' rows)

# The candidates of what would be installed, as they were judged: a damaged tree gives up entries of the whole one.
$ odonata compare fattree:k=8,levels=3 --damage 0,5%,2 --permutations 1 | sed -n '/^portfolio/,$p'
portfolio
  routing  candidate           needs                  outcome      uniform   shifts  at most
  fattree  engine of the kind  any bounds             replaced     0.48846  0.33333  no
  fattree  recomputed          6 % more of one bound  chosen       0.48846  0.36364  no
  updown   up and down         15 % more              cannot gain  0.67553  0.33333  yes
  layered  layers of VLs       50 % more              no gain      0.49609      0.2  no
$ odonata compare fattree:k=4,levels=2 --permutations 1 --json | grep -c '"outcome": "cannot gain"'
3

# An engine that cannot serve says why.
$ odonata compare torus:k=5x5,c=1 --engines torus,updown --vls 1 --permutations 3
topology  torus
switches  25
hosts     25
cables    75
routings
  routing  safe  safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  changed entries  uniform  worst shift  mean permutation  worst permutation
  updown   yes   yes                   0-15              0-15                        1    1             5          0                0  0.64865      0.16667           0.38889              0.125
declined
  routing  reason
  torus    torus: needs 2 VLs, 1 can be used

# Tables that are installed, and what Odonata would install. LFTs alone would deadlock.
$ odonata export torus:k=5x5,c=1 --format lfts -o t.lfts; odonata compare torus:k=5x5,c=1 --tables t.lfts --permutations 3
topology  torus
switches  25
hosts     25
cables    75
routings
  routing              safe  scope                                                           safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  changed entries  uniform  worst shift  mean permutation  worst permutation
  t.lfts               no    1250 of 1250 pairs (switch, LID); VL 0 assumed for all packets  no                    none              none                        1    1             4          0                0        1          0.5               0.5                0.5
  computed by Odonata  yes                                                                   no                    none              none                        2    4             4          0                0        1          0.5               0.5                0.5

$ odonata compare demo-dragonfly --engines nonsense
! odonata compare: --engines: expected an engine, found 'nonsense'; 'odonata list engines' lists them
! Try `odonata compare --help' or `odonata compare --usage' for more
! information.
= 2
$ odonata compare demo-dragonfly --tables none
! odonata: none: cannot open: No such file or directory
= 3
$ odonata compare demo-dragonfly --permutations 0
! odonata compare: --permutations: expected a whole number from 1 to 100000, found "0"
! Try `odonata compare --help' or `odonata compare --usage' for more
! information.
= 2

# As a picture: a bar for each bound of each routing, and names that are text.
$ odonata generate flatfly:k=3x3,c=2 -o fabric.net && odonata export fabric.net --format lfts -o 'a<b&c'
$ odonata compare fabric.net --tables 'a<b&c' --engines dor,updown --permutations 3 --svg -o bars.svg
$ python3 -c 'import xml.etree.ElementTree as x; t = x.parse("bars.svg"); print([e.text for e in t.iter() if e.text and "anchor" in str(e.attrib)][-3:])'
['a<b&c', 'dor', 'updown']
$ grep -c 'class="n"' bars.svg
12
$ odonata compare fabric.net --svg --json 2>said >answer
= 2
$ head -n 1 said
odonata compare: --svg: expected --json or --svg, found both
