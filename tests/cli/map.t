# What a shuffled, damaged dragonfly is.
$ odonata map dragonfly:p=2,a=4,h=2 --shuffle 7 --damage 5%,2%,1
topology        dragonfly
switches        34
hosts           68
cables          146
contradictions  4
dimensions
  dimension  graph           size  width
          0  groups             9      1
          1  complete graph     4      1
missing links
  between  guid                and  and guid            missing
  N1       0x0d0a800000000100  N95  0x0d0a800000005f00        1
  N51      0x0d0a800000003300  N54  0x0d0a800000003600        1
missing switches
  at
  4 3
  7 3

# Which cables of a FlatFly are in the wrong port, and where they belong.
$ odonata map flatfly:k=4x4x4,c=4 --shuffle 1 --miscable 1% --strict
topology          flatfly
switches          64
hosts             256
cables            544
contradictions    2
dimensions
  dimension  graph           size  width
          0  complete graph     4      1
          1  complete graph     4      1
          2  complete graph     4      1
wrong cables
  from  from guid           from port  to    to guid             to port  from belongs to  to belongs to
  N163  0x0d0a80000000a300          2  N96   0x0d0a800000006000       10  N303 port 2      N229 port 4
  N229  0x0d0a80000000e500          4  N303  0x0d0a800000012f00        2  N96 port 10      N163 port 2
scope             as far as cables alone can tell: a whole layer that is missing is seen only against a plan (--plan)
= 1

# A hypercube, as JSON, with the place of every switch.
$ odonata map hypercube:n=2,c=1 --coordinates --json
{
  "topology": "hypercube",
  "switches": 4,
  "hosts": 4,
  "cables": 8,
  "contradictions": 0,
  "dimensions": [
    {
      "dimension": 0,
      "graph": "complete graph",
      "size": 2,
      "width": 1
    },
    {
      "dimension": 1,
      "graph": "complete graph",
      "size": 2,
      "width": 1
    }
  ],
  "wrong_cables": [],
  "slow_cables": [],
  "missing_links": [],
  "missing_switches": [],
  "coordinates": [
    {
      "switch": "S0_0",
      "guid": "0x0d0a000000200000",
      "at": [
        0,
        0
      ]
    },
    {
      "switch": "S0_1",
      "guid": "0x0d0a000000200001",
      "at": [
        1,
        0
      ]
    },
    {
      "switch": "S1_0",
      "guid": "0x0d0a000000200002",
      "at": [
        0,
        1
      ]
    },
    {
      "switch": "S1_1",
      "guid": "0x0d0a000000200003",
      "at": [
        1,
        1
      ]
    }
  ]
}

# What has changed between two states.
$ odonata generate demo-dragonfly -o old.net
$ odonata map --diff old.net old.net
known by        GUIDs, names and cables
before
  topology        dragonfly
  switches        36
  hosts           72
  cables          162
  contradictions  0
after
  topology        dragonfly
  switches        36
  hosts           72
  cables          162
  contradictions  0
$ odonata map --diff old.net old.net --damage 3%,0 --miscable 1.5%
known by        GUIDs, names and cables
before
  topology        dragonfly
  switches        36
  hosts           72
  cables          162
  contradictions  0
after
  topology        dragonfly
  switches        35
  hosts           70
  cables          155
  contradictions  2
nodes gone
  type     name   guid
  switch   g6r0   0x0d0a000000200018
  adapter  H24_0  0x0d0a000000400054
  adapter  H24_1  0x0d0a000000400055
cables gone
  from  from guid           from port  to    to guid             to port
  g2r0  0x0d0a000000200008          4  g2r2  0x0d0a00000020000a        3
cables new
  from  from guid           from port  to    to guid             to port
  g2r2  0x0d0a00000020000a          3  g5r3  0x0d0a000000200017        7
= 1

# A leaf that is down is all there is: the numbers of others change with it, and not their places.
$ odonata generate fattree:k=8,levels=2 | sed 's/"H1_\([0-3]\)/"down\1/g' >tree.net
$ awk 'BEGIN { RS = ""; ORS = "\n\n" } !/(Switch|Ca)[^"]*"(S1|down[0-3])"/' tree.net | grep -vE '^\[[0-9]+\].*"(S1|down[0-3])"' >less.net
$ odonata map less.net --diff tree.net | sed '1,/^nodes gone/d'
  type     name   guid
  switch   S1     0x0d0a000000200001
  adapter  down0  0x0d0a000000400010
  adapter  down1  0x0d0a000000400011
  adapter  down2  0x0d0a000000400012
  adapter  down3  0x0d0a000000400013

# A plan has no GUIDs of the switches, but their names; a switch with another GUID was replaced.
$ sed 's/d0a00000020/d0b00000020/g' tree.net >plan.net; odonata map tree.net --diff plan.net | grep -v ' '; odonata map tree.net --diff plan.net | head -1
before
after
known by        GUIDs, names and cables
$ sed 's/d0a000000200003/d0b000000200003/g' tree.net >other.net; odonata map other.net --diff tree.net | sed '1,/^  contra/d;/^after/,/^  contra/d'
nodes replaced
  type    name  had guid            guid
  switch  S3    0x0d0a000000200003  0x0d0b000000200003

# Two leaves whose cables are exchanged are at other places, and they alone.
$ odonata generate fattree:k=4,levels=3 >pods.net
$ awk 'BEGIN { RS = ""; ORS = "\n\n" }
> 	/Switch[^"]*"S0"/ { gsub(/"S8"/, "\"S12\""); gsub(/"S9"/, "\"S13\"") } /Switch[^"]*"S4"/ { gsub(/"S12"/, "\"S8\""); gsub(/"S13"/, "\"S9\"") }
> 	/Switch[^"]*"S[89]"/ { gsub(/"S0"\[/, "\"S4\"[") } /Switch[^"]*"S1[23]"/ { gsub(/"S4"\[/, "\"S0\"[") } { print }' pods.net >exchanged.net
$ odonata map exchanged.net --diff pods.net | sed '1,/^nodes moved/d'
! odonata: warning: exchanged.net:9: passed over a line that is not understood (12 times): LID lost, or not as its peers say, of "S12"

# A picture, which is XML whatever the names are.
$ odonata generate flatfly:k=2x2,c=1 | sed 's/S0/<\&>/g' >odd.net
$ odonata map odd.net --svg -o odd.svg; grep -c '<circle' odd.svg; tail -1 odd.svg
4
</svg>

# Every switch is in the picture, which is cut close below them; keys only for what there is.
$ for words in hypercube:n=6,c=2 torus:k=8x9x10,c=1 flatfly:k=3,c=2 demo-dragonfly random:n=9,d=4,c=1 fattree:k=8,levels=3 \
> 		dragonfly-plus:p=2,leaves=4,spines=4,h=2,g=9 mesh:k=4x5,c=1 'fattree:k=8,levels=3 --damage 3,1' 'flatfly:k=4x4x4,c=4 --damage 3,1'; do
> 	odonata map $words --svg | sed -nE 's/.*viewBox="0 0 ([0-9.]+) ([0-9.]+)".*/box \1 \2/p
> 		s/.*<g transform="translate\(([0-9.-]+) ([0-9.-]+)\) scale\(([0-9.]+)\)".*/group \1 \2 \3/p
> 		s/<circle cx="([0-9.-]+)" cy="([0-9.-]+)".*/switch \1 \2/p; s/.*>missing [a-z]+: [0-9]+<.text>$/key/p' | awk '
> 		/^box/ { w = $2; h = $3 } /^group/ { x = $2; y = $3; scale = $4 } /^key/ { keys++ }
> 		/^switch/ { n++; at = x + $2 * scale; out += at < 0 || at > w; at = y + $3 * scale; low = at > low ? at : low }
> 		END { print n, out + 0, (h - low < 80 ? "close" : "room below"), keys + 0 }'
> done
64 0 close 0
720 0 close 0
3 0 close 0
36 0 close 0
9 0 close 0
80 0 close 0
72 0 close 0
20 0 close 0
78 0 close 1
62 0 close 2

# Names in a picture are text alone. Groups of many switches have their number instead of their cables.
$ odonata generate demo-dragonfly | sed "s/\"g0r0\"/\"<g>\&0\"/g" >named.net
$ odonata map named.net --svg --labels | grep -o '<text class="label".*' | sed 's/ [xyf][^ ]*="[^"]*"//g' | sed -n '1p; 9,11p'
<text class="label">0</text>
<text class="label">8</text>
<text class="label">&lt;g>&amp;0</text>
<text class="label">g0r1</text>
$ odonata map named.net --svg | grep -c '<text class="label"'
0
= 1
$ odonata map dragonfly:p=1,a=16,h=8,g=129 --svg | grep -c -e '<text class="label"' -e 'cables not drawn'
131
$ odonata map pgft:m=2x3,w=1x1 --svg --labels | grep -o '<text text-anchor="end" x="0.0".*level [0-9]<' | grep -o '>.*'
>level 0<
>level 1<
$ odonata map named.net --labels
! odonata map: --labels: expected --svg beside it, found none
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2

# Names of coordinates that the operator chose.
$ printf '"g3r1" 0 0\n"g5r2" 1 2\n' >pins
$ odonata map old.net --coordinates --pins pins --json | grep -A5 -E 'g3r1|g5r2' | tr -d ' \n'; echo
"switch":"g3r1","guid":"0x0d0a00000020000d","at":[0,0]--"switch":"g5r2","guid":"0x0d0a000000200016","at":[1,2]
$ printf '"g3r1" 0 0\n"g3r2" 1 2\n' >pins; odonata map old.net --pins pins
! odonata: pins:2: expected coordinates that agree with the cables and the other pins, found others
= 3
$ printf '"g3r1" 0 x\n' >pins; odonata map old.net --pins pins
! odonata: pins:1: expected a coordinate, found "x"
= 3

# Two fabrics that no cable connects: each is mapped by itself, and can be taken alone.
$ odonata generate fattree:k=8,levels=2 --shuffle 1 | sed 's/ lid [0-9]*/ lid 0/g' >tree.net
> odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 | sed 's/"N/"Y/g; s/d0a8000000/d0a9000000/g; s/ lid [0-9]*/ lid 0/g' |
> cat tree.net - >planes.net; odonata map planes.net | sed -n '1,/^dimensions/p'
switches                48
hosts                   104
cables                  226
contradictions          0
treated                 each part by itself; no cable connects it with the others
unconnected host pairs  2304
apart                   may be one fabric that lost cables: hosts of different parts are not connected; give each subnet as a FABRIC of its own if they are several
parts
  part  first switch  topology   switches  hosts  cables  contradictions
     1  Y2            dragonfly        36     72     162               0
     2  N3            fattree          12     32      64               0
dimensions
$ odonata map planes.net --part 2 --strict | head -3
topology          fattree
switches          12
hosts             32
$ odonata route planes.net --part 1 | grep engine
engine                    dragonfly
$ odonata map planes.net --part 3
! odonata: expected part 1 to 2 of what cables connect, found 3
= 3
$ odonata map planes.net --part 0
! odonata map: --part: expected a whole number from 1 to 4294967295, found "0"
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2

# A group that is missing altogether is told: all others have ports for it.
$ odonata generate dragonfly:p=1,a=4,h=2 | awk -v RS= -v ORS='\n\n' '!/\n(Switch|Ca)[^\n]*"(g3r|H1[2-5]_)/' |
> 	sed '/"\(g3r\|H1[2-5]_\)/d' >eight.net
$ odonata map eight.net --strict
topology          dragonfly
switches          32
hosts             32
cables            108
contradictions    0
dimensions
  dimension  graph           size  width
          0  groups             8      1
          1  complete graph     4      1
room for groups   1
scope             as far as cables alone can tell: a whole layer that is missing is seen only against a plan (--plan)
$ odonata map eight.net --json | grep room
  "room_for_groups": 1,

# Columns stand below each other, though a letter of a name may have several bytes.
$ odonata generate flatfly:k=4x4,c=1 --shuffle 3 --damage 0%,8% | sed 's/"N6"/"Knöß-6"/g' >letters.net
$ odonata map letters.net | sed -n '/^missing links/,$p'
missing links
  between  guid                and     and guid            missing
  N1       0x0d0a800000000100  N11     0x0d0a800000000b00        1
  N11      0x0d0a800000000b00  N15     0x0d0a800000000f00        1
  N18      0x0d0a800000001200  Knöß-6  0x0d0a800000000600        1
  N21      0x0d0a800000001500  N29     0x0d0a800000001d00        1

# Small fabrics with a cable too many, or some in wrong ports, are what they were. The cable too many is a suspect.
$ odonata generate torus:k=6x6,c=1 >torus.net
$ awk -v OFS='\t' '/^Switch/ { at = $3 == "\"S0_0\"" ? "S2_3" : $3 == "\"S2_3\"" ? "S0_0" : ""; if (at) $2 = 6 }
> 	{ print } /^Switch/ && at { print "[6]\t\"" at "\"[6]" }' torus.net >more.net
$ odonata map more.net | grep -E "^(topology|contradictions)"
topology          torus
contradictions    0
! odonata: warning: more.net:20: passed over a line that is not understood (2 times): LID lost, or not as its peers say, of "S0_0"
$ odonata map more.net --suspects 2>/dev/null | sed -n '/^suspect wrong/,$p' | sed 's/ *$//'
suspect wrong cables
  from  from guid           from port  to    to guid             to port  from belongs to  to belongs to
  S0_0  0x0d0a000000200000          6  S2_3  0x0d0a00000020000f        6
$ odonata map more.net --suspects --json 2>/dev/null | grep -E '"(wrong_cables|suspect_.*)": \['
  "wrong_cables": [],
  "suspect_wrong_cables": [
  "suspect_missing_links": [],
  "suspect_missing_switches": []
$ odonata map torus.net --suspects --json | grep suspect
  "suspect_wrong_cables": [],
  "suspect_missing_links": [],
  "suspect_missing_switches": []
$ for f in "hypercube:n=5,c=1 --miscable 2%,1" "mesh:k=4x4x4,c=1 --miscable 2%,28" "flatfly:k=8x8,l=4,c=2 --miscable 2%,1" \
> 	"hypercube:n=5,c=1,l=2 --miscable 1%,7"; do odonata map $f | grep ^topology; done
topology          hypercube
topology          mesh
topology          flatfly
topology          hypercube

# Links of two cables between groups: no cable of a whole dragonfly is missing, and of a damaged one all that are.
$ for damage in 0%,0% 0%,0.5%,1; do odonata map dragonfly:p=2,a=5,h=3,g=7,w=2 --damage $damage | grep -E "^contra"; done
contradictions    0
contradictions    1
$ odonata map dragonfly:p=2,a=8,h=4,g=12,w=2 --damage 0%,0.5%,1 | grep ^contra
contradictions    4

# An OLD that is a live subnet is read, or there is an error; older versions crashed.
$ odonata map --diff live demo-dragonfly >/dev/null 2>&1; [ $? -le 5 ]

# A plan: what is missing, swapped or slow, a line each, and nothing else. Names, GUIDs and cables tell what is the same.
$ odonata generate dragonfly:p=2,a=4,h=2 -o plan.net
$ odonata map plan.net --plan dragonfly:p=2,a=4,h=2 | sed -n '/^known/,$p'
known by            names and cables
differences         0
$ odonata map plan.net --damage 3%,1% --plan plan.net | sed -n '/^known/,$p'
known by     GUIDs, names and cables
differences  2
plan
  difference  type    node  guid                port  planned      found  hosts behind
  missing     switch  g6r0  0x0d0a000000200018                                       2
  missing     cable   g5r3  0x0d0a000000200017     6  g7r0 port 7         
$ odonata map plan.net --miscable 2% --plan plan.net | sed -n '/^diff/,$p'
differences  2
plan
  difference  type   node  guid                port  planned      found
  swapped     cable  g1r2  0x0d0a000000200006     5  g1r3 port 5  g6r1 port 5
  swapped     cable  g6r3  0x0d0a00000020001b     4  g6r1 port 5  g1r3 port 5
$ sed 's/d0a000000200003/d0b000000200003/g; s/"H5_1"/"H5_1 new"/g' plan.net >now.net; odonata map now.net --plan plan.net | sed -n '/^diff/,$p'
differences  2
plan
  difference  type     node  guid                port  planned             found
  replaced    switch   g0r3  0x0d0b000000200003        0x0d0a000000200003  0x0d0b000000200003
  renamed     adapter  H5_1  0x0d0a00000040002f        H5_1                H5_1 new
$ sed 's/d0a0000002/d0b0000002/g; s/d0a0000004/d0b0000004/g; s/"g/"x/g; s/"H/"Y/g; s/lid [0-9]*/lid 0/' plan.net >named.net
$ odonata map named.net --damage 0,1% --plan plan.net --json | sed -n '/"plan"/,$p'
  "plan": [
    {
      "difference": "missing",
      "type": "cable",
      "node": "g5r3",
      "guid": "0x0d0b000000200017",
      "port": 7,
      "planned": "g6r0 port 6",
      "found": null
    }
  ]
}
! odonata: warning: named.net:367: passed over a line that is not understood (36 times): LID lost, or not as its peers say, of "x0r0"; passed over a LID or LMC that no port can have (72 times): "Y0_0" has none, others have theirs

# Spines of a tree of two levels have their name, and are no planes.
$ odonata map fattree:k=4,levels=2
topology          fattree
switches          6
hosts             8
cables            16
contradictions    0
dimensions
  dimension  name   size
          0  level     2
          1  pod       1
          2  spine     2
          3  index     4
levels
  level  switches  hosts  width up
      0         4      8         1
      1         2      0          

# A plan of one's own says where things are, and is read as any fabric.
$ odonata generate flatfly:k=3,c=1 -o three.net; odonata map three.net --save-plan site.plan | head -1; sed -n 3,4p site.plan
topology          flatfly
topology flatfly
switch "S0" ports 3 guid 0x0d0a000000200000 at 0
# 3 switches, 3 hosts, 6 cables
# 3 switches, 3 hosts, 6 cables
$ sed -i 's/"S2" ports/"S2" place "rack 7" ports/; /"S0" 3 "S2"/s/$/ labels "1\/1\/2" "1\/2\/1"/' site.plan
$ odonata map three.net --damage 0,34%,4 --plan site.plan | sed -n '/^diff/,$p'
differences  1
plan
  difference  type   node  guid                port  planned    found  label  to place  to label
  missing     cable  S0    0x0d0a000000200000     3  S2 port 2         1/1/2  rack 7    1/2/1
$ odonata map flatfly:k=3x3,c=2 --shuffle 3 --damage 0,6%,2 --plan flatfly:k=3x3,c=2 | grep -E '^(known|doubt)'
known by                   cables only
doubt                      no name, GUID or port number tells alike places apart: the list may accuse others
$ sed 's/4xQDR/4xFOO/' site.plan >rate.plan; odonata map three.net --plan rate.plan
! odonata: rate.plan:10: expected a rate such as 4xHDR, or 4x, found "4xFOO"
= 3
$ odonata map site.plan --plan three.net | tail -1; sed '/^end/d' site.plan | odonata map - ; odonata map site.plan --save-plan no/where/plan
differences  0
! odonata: (standard input):15: expected a last line "end", found none: the plan is cut
! odonata: no/where/plan: cannot write: No such file or directory
= 5

# No difference is told of rates that a plan lacks: the answer says how many.
$ odonata map demo-torus:speed=ndr --plan demo-torus | grep -E '^(rates|differences)'; odonata map demo-torus:speed=ndr --plan demo-torus:speed=hdr | grep -c 'other rate'
rates not compared  144 of 144 cables: the plan or the fabric has no rate
differences         0
144
