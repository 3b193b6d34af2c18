# Tables that are there, and what Odonata would install. LFTs alone would deadlock.
$ odonata export torus:k=5x5,c=1 --format lfts -o t.lfts; odonata diff torus:k=5x5,c=1 --tables t.lfts
routings
  routing              safe  scope                                                           safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  uniform  worst shift  mean permutation  worst permutation
  imported             no    1250 of 1250 pairs (switch, LID); VL 0 assumed for all packets  no                    none              none                        1    1             4          0        1          0.5               0.5                0.5
  computed by Odonata  yes                                                                   no                    none              none                        2    4             4          0        1          0.5               0.5                0.5
entries changed          0
switches with other vls  25
= 1

# The whole of them is the same.
$ mkdir whole; odonata export torus:k=5x5,c=1 -o whole >list; odonata diff torus:k=5x5,c=1 --tables whole/odonata.lfts --tables whole/odonata.sl2vl --tables whole/odonata.psl
routings
  routing              safe  safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  uniform  worst shift  mean permutation  worst permutation
  imported             yes   no                    none              none                        2    4             4          0        1          0.5               0.5                0.5
  computed by Odonata  yes   no                    none              none                        2    4             4          0        1          0.5               0.5                0.5
entries changed          0
switches with other vls  0

# Two states of a fabric: what came and went, and what becomes of the routing.
$ odonata generate torus:k=4x4,c=1 -o whole.net; odonata generate whole.net --damage 0,8%,3 -o less.net; odonata diff whole.net less.net
routings
  routing    safe  safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  uniform  worst shift  mean permutation  worst permutation
  whole.net  yes   yes                   0-15              0-15                        1    1             4          0        1            1               0.6                0.5
  less.net   yes   no                    none              none                        2    2             5          0        1          0.5             0.525               0.25
entries changed          35
switches with other vls  16
cables gone
  from      from guid           from port  to        to guid             to port
  S0_0_1_0  0x0d0a000000200002          3  S0_1_1_0  0x0d0a000000200006        3
  S1_0_1_1  0x0d0a00000020000b          3  S1_1_1_1  0x0d0a00000020000f        3
  S1_1_0_0  0x0d0a00000020000c          4  S1_1_1_0  0x0d0a00000020000e        4
= 1

$ odonata diff whole.net whole.net --engine updown
routings
  routing    safe  safe with any one sl  sls safe for all  sls safe beside path sls  vls  sls  longest path  cut pairs  uniform  worst shift  mean permutation  worst permutation
  whole.net  yes   yes                   0-15              0-15                        1    1             4          0  0.83333         0.25           0.56667                0.2
  whole.net  yes   yes                   0-15              0-15                        1    1             4          0  0.83333         0.25           0.56667                0.2
entries changed          0
switches with other vls  0

# There must be something to set beside what is computed.
$ odonata diff whole.net
! odonata diff: whole.net: expected a second FABRIC, or --tables, or live, found no other tables to compare with those that Odonata computes
! Try `odonata diff --help' or `odonata diff --usage' for more information.
= 2
$ odonata diff whole.net less.net --tables t.lfts
! odonata diff: --tables: expected one FABRIC, found two
! Try `odonata diff --help' or `odonata diff --usage' for more information.
= 2
