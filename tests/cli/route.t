# Roots of up*/down* paths that are not there are told, not passed over.
$ printf '0x1\n0x2 # gone\n' >roots; odonata route demo-flatfly -e updown --roots roots
! odonata: roots: expected the GUID of a switch of the fabric, found none among 2
= 3
$ : >roots; odonata route demo-flatfly -e updown --roots roots
! odonata: roots:1: expected GUIDs, a line each, found none
= 3
$ printf '0x1\n0x0d0a000000200003\n' >roots; odonata route demo-flatfly -e updown --roots roots | grep delivers
delivers                  yes

# Safe whatever SL an application uses.
$ odonata route torus:k=5x5,c=2 --sls any | grep -E '^(sls|deadlock)'
sls                       1
sls safe for all          0-15
sls safe beside path sls  0-15
deadlock free             yes

# The engine that suits, and one by name.
$ odonata route demo-dragonfly
topology                  dragonfly
switches                  36
hosts                     72
cables                    162
engine                    dragonfly
profile                   ib
vls                       2
sls                       1
sl depends on             destination
sl2vl maps                2
safe with path sls        yes
safe with any one sl      yes
sls safe for all          0-15
sls safe beside path sls  0-15
delivers                  yes
deadlock free             yes
within vls                yes
pairs                     3888
cut pairs                 0
longest path              3
dependencies              432
$ odonata route demo-flatfly --json
{
  "topology": "flatfly",
  "switches": 64,
  "hosts": 256,
  "cables": 544,
  "engine": "dor",
  "profile": "ib",
  "vls": 1,
  "sls": 1,
  "sl_depends_on": "destination",
  "sl2vl_maps": 1,
  "safe_with_path_sls": true,
  "safe_with_any_one_sl": true,
  "sls_safe_for_all": "0-15",
  "sls_safe_beside_path_sls": "0-15",
  "delivers": true,
  "deadlock_free": true,
  "within_vls": true,
  "pairs": 20480,
  "cut_pairs": 0,
  "longest_path": 3,
  "dependencies": 1728
}
$ odonata route demo-flatfly --engine updown | head -3
topology                  flatfly
switches                  64
hosts                     256

# Two leaves of a fat tree that have lost all spines that they had in common.
$ odonata generate fattree:k=8,levels=2 | awk -F'"' '/^(Switch|Ca)/ { at = $2 } { lost = at "-" $2 }
> 	/^\[/ && lost ~ /^(S0-S(9|10|11)|S(9|10|11)-S0|S1-S(8|10|11)|S(8|10|11)-S1)$/ { next } { print }' >hurt.net
$ odonata route hurt.net | grep -E '^(engine|vls|delivers|deadlock|longest|down)'
engine                    fattree
vls                       1
delivers                  yes
deadlock free             yes
longest path              4
down and up               2

# Not for this topology, or not with these VLs.
$ odonata route demo-dragonfly --engine dor
! odonata: dor: does not route the kind "dragonfly"
= 4
$ odonata route demo-dragonfly --engine dragonfly --vls 1
! odonata: dragonfly: needs 2 VLs, 1 can be used
= 4
$ odonata route demo-dragonfly --damage 5%,5% --engine dragonfly --strict 2>&1 | sed "s,[0-9]* contra,N contra,"
odonata: dragonfly: N contradictions in the fabric, and strictness is asked for

# Exported and imported again, tables keep their verdict; without their SL2VL maps they lose it.
$ odonata generate demo-dragonfly -o fabric.net; mkdir tables
$ odonata export fabric.net -o tables >exported; grep -c tables/odonata.lfts exported
1
$ odonata verify fabric.net --tables tables/odonata.lfts --tables tables/odonata.slvl --tables tables/odonata.psl
safe                      yes
scope                     3888 of 3888 pairs (switch, LID)
safe with path sls        yes
safe with any one sl      yes
sls safe for all          0-15
sls safe beside path sls  0-15
engine                    imported
profile                   ib
vls                       2
sls                       1
sl depends on             source and destination
sl2vl maps                2
delivers                  yes
deadlock free             yes
within vls                yes
pairs                     3888
cut pairs                 0
longest path              3
dependencies              432
$ odonata verify fabric.net --tables tables/odonata.lfts
safe                      no
scope                     3888 of 3888 pairs (switch, LID); VL 0 assumed for all packets
safe with path sls        no
safe with any one sl      no
sls safe for all          none
sls safe beside path sls  none
engine                    imported
profile                   ib
vls                       1
sls                       1
sl depends on             destination
sl2vl maps                1
delivers                  yes
deadlock free             no
within vls                yes
pairs                     3888
cut pairs                 0
longest path              3
dependencies              432
failure                   deadlock: 6 channels wait for each other in a cycle, from port 6 of "g6r0" on VL 0
cycle
  from  from guid           from port  to    to guid             to port  vl
  g6r0  0x0d0a000000200018          6  g5r3  0x0d0a000000200017        7   0
  g5r3  0x0d0a000000200017          3  g5r0  0x0d0a000000200014        5   0
  g5r0  0x0d0a000000200014          7  g3r3  0x0d0a00000020000f        6   0
  g3r3  0x0d0a00000020000f          5  g3r2  0x0d0a00000020000e        5   0
  g3r2  0x0d0a00000020000e          7  g6r1  0x0d0a000000200019        6   0
  g6r1  0x0d0a000000200019          3  g6r0  0x0d0a000000200018        3   0
= 1
$ odonata export fabric.net --format fdbs --json | head -c 100; echo
{
  "format": "fdbs",
  "text": "dump_ucast_routes: Switch 0x0d0a000000200000\nLID    : Port : Hops 

# Where hosts of one switch differ in their SLs, verify proves them all: here half of them keep to one VL
# round the ring. What has to send by them refuses.
$ for x in lfts sl2vl psl; do odonata export torus:k=6,c=2 -f $x -o torus.$x; done
$ awk '$1 ~ /[13579bdf]$/ { $3 = 0 } { print }' torus.psl >mixed.psl
$ odonata verify torus:k=6,c=2 --tables torus.lfts --tables torus.sl2vl --tables torus.psl | grep -E '^(safe|vls|deadlock)'
safe                      yes
safe with path sls        yes
safe with any one sl      no
vls                       2
deadlock free             yes
$ odonata verify torus:k=6,c=2 --tables torus.lfts --tables torus.sl2vl --tables mixed.psl | grep -E '^(safe|vls|deadlock)'
safe                      no
safe with path sls        no
safe with any one sl      no
vls                       2
deadlock free             no
$ odonata analyze torus:k=6,c=2 --tables torus.lfts --tables torus.sl2vl --tables mixed.psl
! odonata: mixed.psl:24: expected hosts of one switch ("S0") to use one SL to LID 5, found 1 and 0
= 4

# Compute nodes come first in a fat tree: all of them are as none listed, some are not, and all but some
# are the same whichever list says so.
$ odonata generate fattree:k=8,levels=2 -o tree.net; sed -n 's/^\[1\](\([0-9a-f]*\)).*/0x\1/p' tree.net >ports
> awk 'NR % 3 == 1' ports >some; grep -vxf some ports >others
> for lists in "" "--compute ports" "--compute some" "--io others" "--compute ports --io others"; do
> 	odonata export tree.net -f lfts $lists | sort | cksum
> done | awk '!($0 in n) { n[$0] = ++k } { print n[$0] }' | xargs
1 1 2 2 2
$ echo 0xhost >bad.list; odonata route tree.net --compute bad.list
! odonata: bad.list:1: expected a GUID in hexadecimal, found "0xhost"
= 3
$ odonata route tree.net --io nowhere.list
! odonata: nowhere.list: cannot open: No such file or directory
= 3
