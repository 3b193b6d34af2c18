# A cable that runs slower than others of its dimension, and one to a host.
$ odonata generate flatfly:k=4x4,c=2 | sed '/"S0_0"\[3\]/s/4xQDR/1xSDR/; /"S1_0"\[3\]/s/4xQDR/1xSDR/' >slow.net
$ sed -i '/"H2_1"/s/4xQDR/4xDDR/; /"S0_2"\[2\]/s/4xQDR/4xDDR/' slow.net
$ odonata map slow.net --strict
topology          flatfly
switches          16
hosts             32
cables            80
contradictions    2
dimensions
  dimension  graph           size  width
          0  complete graph     4      1
          1  complete graph     4      1
slow cables
  from  from guid           from port  to    to guid             to port  runs at  usual
  S0_0  0x0d0a000000200000          3  S1_0  0x0d0a000000200004        3  1xSDR    4xQDR
  S0_2  0x0d0a000000200002          2  H2_1  0x0d0a000000400015        1  4xDDR    4xQDR
scope             as far as cables alone can tell: a whole layer that is missing is seen only against a plan (--plan)
= 1
$ odonata map slow.net --json | grep -A11 slow_cables
  "slow_cables": [
    {
      "from": "S0_0",
      "from_guid": "0x0d0a000000200000",
      "from_port": 3,
      "to": "S1_0",
      "to_guid": "0x0d0a000000200004",
      "to_port": 3,
      "runs_at": "1xSDR",
      "usual": "4xQDR"
    },
    {
$ odonata map slow.net --svg | grep -o '<[a-z]* class="slow".*'
<path class="slow" d="M0 62.0h24"/><text x="32" y="66.0">slow cables: 2</text>
<path class="slow" d="M0.0 0.0Q9.0 3.2 18.0 0.0"><title>slow cable: S0_0 port 3 to S1_0 port 3, 1xSDR, usual is 4xQDR</title></path>
<circle class="slow" cx="0.0" cy="36.0" r="6"><title>slow cable: S0_2 port 2 to H2_1 port 1, 4xDDR, usual is 4xQDR</title></circle>

# It is routed all the same, unless strictness is asked for.
$ odonata route slow.net | head -5
topology                  flatfly
switches                  16
hosts                     32
cables                    80
engine                    dor
$ odonata route slow.net --strict --engine dor
! odonata: dor: 2 contradictions in the fabric, and strictness is asked for
= 4

# What has changed.
$ odonata generate flatfly:k=4x4,c=2 -o old.net
$ odonata map --diff old.net slow.net
known by        GUIDs, names and cables
before
  topology        flatfly
  switches        16
  hosts           32
  cables          80
  contradictions  0
after
  topology        flatfly
  switches        16
  hosts           32
  cables          80
  contradictions  2
other rates
  from  from guid           from port  to    to guid             to port  ran at  runs at
  S0_0  0x0d0a000000200000          3  S1_0  0x0d0a000000200004        3  4xQDR   1xSDR
  S0_2  0x0d0a000000200002          2  H2_1  0x0d0a000000400015        1  4xQDR   4xDDR
= 1

# In a fabric of unknown kind all cables between switches are alike; one leads back to its switch.
$ odonata generate random:n=10,d=3,c=2 | sed 's/^Switch\t5 "S1"/Switch\t9 "S1"/; /"S1" base port/a [8]\t"S1"[9]\n[9]\t"S1"[8]' |
> 	sed '/"S0" base port/,/^$/s/^\(\[3\].*\)4xQDR/\14xSDR/' >odd.net
$ odonata map odd.net | sed -n '/^topology/p; /^contradictions/,$p'
topology          unknown
contradictions    2
wrong cables
  from  from guid           from port  to  to guid             to port  from belongs to  to belongs to
  S1    0x0d0a000000200001          8  S1  0x0d0a000000200001        9                                
slow cables
  from  from guid           from port  to  to guid             to port  runs at  usual
  S0    0x0d0a000000200000          3  S6  0x0d0a000000200006        3  4xSDR    4xQDR
! odonata: warning: odd.net:9: took the lower rate of a cable whose ends disagree: 4xSDR, and 4xQDR at line 59
