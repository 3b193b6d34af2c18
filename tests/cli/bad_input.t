# Input of every kind that is wrong, or odd but right.

# What a file must have, and has not.
$ odonata map bad/included.net
! odonata: bad/included.net:1: expected nodes and ports, found ibsim's "include", which is not supported
= 3
$ odonata map bad/ports.net
! odonata: bad/ports.net:1: expected a fabric (ibnetdiscover, ibsim, lst, plan, db_csv, net_dump, iblinkinfo, ibdm, cabling, anynet), found none of these
= 3

# A truncated file, of which the rest is read; what is lost leaves no fabric that is whole.
$ odonata map bad/truncated.net --strict >/dev/null 2>&1
= 1
$ odonata map bad/truncated.net
repairs
  input              line  times  repair                                                    first     matters
  bad/truncated.net     8      1  passed over a line that is not understood                 "[2] "H"  yes
  bad/truncated.net     4      1  left out a cable to a node that the file does not define  "H0"      yes
topology          flatfly
switches          2
hosts             0
cables            1
contradictions    0
dimensions
  dimension  graph           size  width
          0  complete graph     2      1
! odonata: warning: bad/truncated.net:8: passed over a line that is not understood: "[2] "H"; line 4: left out a cable to a node that the file does not define: "H0"

# A port cabled twice.
$ odonata map bad/twice.net
repairs
  input          line  times  repair                                               first                                      matters
  bad/twice.net     4      1  left out a port that contradicts its node or itself  port 1 is also at line 3                   yes
  bad/twice.net     7      2  left out a cable on which its ends disagree          to "S0" port 1; other lines say otherwise  yes
topology          unknown
reason            no known topology, and none is near: cables form no pattern
switches          3
hosts             2
cables            2
parts
  part  switches  hosts
     1         1      0
     2         1      1
     3         1      1
contradictions    0
! odonata: warning: bad/twice.net:4: left out a port that contradicts its node or itself: port 1 is also at line 3; line 7: left out a cable on which its ends disagree (2 times): to "S0" port 1; other lines say otherwise
= 1

# An unknown node type.
$ odonata map bad/node_type.net
repairs
  input              line  times  repair                                                    first            matters
  bad/node_type.net     5      2  passed over a line that is not understood                 "Bridge 1 "H0""  yes
  bad/node_type.net     3      1  left out a cable to a node that the file does not define  "H0"             yes
topology          flatfly
switches          1
hosts             0
cables            0
contradictions    0
dimensions
  dimension  graph           size  width
          0  complete graph     1      0
! odonata: warning: bad/node_type.net:5: passed over a line that is not understood (2 times): "Bridge 1 "H0""; line 3: left out a cable to a node that the file does not define: "H0"

# No such file, an empty one, a folder, one that is no fabric at all.
$ odonata map nowhere.net
! odonata: nowhere.net: cannot open: No such file or directory
= 3
$ : >empty; odonata map empty 2>&1 | sed "s,(.*),(...),"
odonata: empty:1: expected a fabric (...), found an empty file
$ odonata map .
! odonata: .: cannot read: Is a directory
= 3
$ echo hello world | odonata map - 2>&1 | sed "s,(ib.*),(...),"
odonata: (standard input):1: expected a fabric (...), found none of these

# What editors and archivers make of a file.
$ odonata generate demo-dragonfly -o plain.net; { printf '\357\273\277'; sed 's/$/\r/' plain.net; } >windows.net; odonata map windows.net | head -n 2; odonata map --diff plain.net windows.net
topology          dragonfly
switches          36
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
$ gzip -n <plain.net >packed.net; odonata map packed.net
! odonata: packed.net:1: expected text, found a gzip archive: read '-', and pipe into it what 'zcat FILE' prints
= 3
$ odonata map ''; odonata emulate demo-dragonfly --workload trace: ; : >none; odonata route demo-dragonfly --roots none
! odonata: (no name): expected a topology (flatfly, hypercube, mesh, torus, dragonfly, slimfly, slimfly-flatfly, fattree, dragonfly-plus, random, bipartite, pgft) or a preset, found none
! odonata: (no name): cannot open: No such file or directory
! odonata: none:1: expected GUIDs, a line each, found none
= 3
$ odonata experiment none
! odonata: none:1: expected keys and values, found nothing
= 3

# Numbers beyond what there may be.
$ odonata emulate demo-dragonfly --load 0.1:0.9:0.000001
! odonata emulate: --load: expected up to 256 loads, found more: '0.1:0.9:0.000001...'
! Try `odonata emulate --help' or `odonata emulate --usage' for more
! information.
= 2
$ odonata emulate demo-dragonfly --load $(seq -s, 0.1 0.001 0.999) 2>&1 | head -n 1
odonata emulate: --load: expected up to 256 loads, found more: '0.100,0.101,0.102,0.103,0.104,0.105,0.10...'
$ odonata emulate demo-dragonfly --cycles 2000000000 --warmup 1000000000
! odonata: emulation: expected from 1 to 2147483646 cycles, warm-up included, found 3000000000
= 3
$ odonata emulate demo-dragonfly --workload ring:bytes=99999999999
! odonata: ring:bytes=99999999999: expected bytes from 0 to 1073741824, found 99999999999
= 3

# Bytes without end that are no text, wherever a file is read.
$ for words in '/dev/zero' 'demo-dragonfly --pins /dev/zero' 'demo-dragonfly --roots /dev/zero' 'demo-dragonfly --tables /dev/zero'; do
> 	odonata route $words
> done; odonata emulate demo-dragonfly --vlarb /dev/zero; odonata emulate demo-dragonfly --workload trace:/dev/zero
! odonata: /dev/zero:1: expected text, found a zero byte
! odonata: /dev/zero:1: expected text, found a zero byte
! odonata: /dev/zero:1: expected text, found a zero byte
! odonata: /dev/zero:1: expected text, found a zero byte
! odonata: /dev/zero:1: expected text, found a zero byte
! odonata: /dev/zero:1: expected text, found a zero byte
= 3
$ odonata experiment /dev/zero
! odonata: /dev/zero:1: expected text, found a zero byte
= 3
$ printf 'Switch 4 "A"\n[1] \0 "B"[1]\n' | odonata map -
repairs
  input             line  times  repair                                                    first  matters
  (standard input)     2      1  left out a zero byte                                             no
  (standard input)     2      1  left out a cable to a node that the file does not define  "B"    yes
topology          flatfly
switches          1
hosts             0
cables            0
contradictions    0
dimensions
  dimension  graph           size  width
          0  complete graph     1      0
! odonata: warning: (standard input):2: left out a zero byte; line 2: left out a cable to a node that the file does not define: "B"

# Nothing at all.
$ odonata route demo-dragonfly --damage 100,100 | grep -E '^(switches|pairs|vls|sls)'
switches                  0
vls                       1
sls                       1
sls safe for all          0-15
sls safe beside path sls  0-15
pairs                     0

# A fabric that is neither dragonfly nor FlatFly: unknown, but routed all the same.
$ odonata map bad/random.net >found
= 1
$ grep -v ^reason found
topology          unknown
switches          16
hosts             16
cables            48
contradictions    0
$ odonata route bad/random.net | grep -E "^(topology|switches|hosts|delivers|deadlock|pairs|cut)"
topology                  unknown
switches                  16
hosts                     16
delivers                  yes
deadlock free             yes
pairs                     512
cut pairs                 0

# Two disconnected halves: each is routed, nothing goes between them.
$ odonata route bad/halves.net | grep -E "^(topology|switches|hosts|delivers|deadlock|pairs|cut)"
topology                  flatfly
switches                  4
hosts                     4
delivers                  yes
deadlock free             yes
pairs                     16

$ odonata map bad/halves.net | sed -n '/^parts/,/^dimensions/p'
parts
  part  first switch  topology  switches  hosts  contradictions
     1  A0            flatfly          2      2               0
     2  B0            flatfly          2      2               0
dimensions
$ for engine in "" "--engine distance-based"; do odonata emulate bad/halves.net $engine --load 0.2 | grep -E "^(accepted|outcome)"; done
accepted                0.1972
accepted error          0.026346
outcome                 done
accepted                0.1972
accepted error          0.026346
outcome                 done
$ odonata emulate bad/halves.net --pattern complement | grep outcome
outcome                 done
$ odonata emulate bad/halves.net --part 2 --pattern complement | grep outcome
outcome          done
$ odonata emulate bad/halves.net --workload ring:bytes=64 | grep -E '^(ranks|outcome)'
ranks                   2
outcome                 done

# A table that leads a LID astray: nowhere, to another host, round and round.
$ odonata generate demo-dragonfly -o whole.net; odonata export whole.net -f lfts -o whole.lfts
> home=$(sed -n "/('g0r1')/,/dumped/p" whole.lfts | sed -n 's/^0x0028 \(...\) .*/\1/p')
> sed "/('g7r3')/,/dumped/s/^0x0028 .*//" whole.lfts >astray.lfts
$ odonata emulate whole.net --tables astray.lfts
! odonata: emulation: switch "g7r3" port 1 lane 0: the tables have no next hop to LID 40 of host "H1_1"
= 3
$ sed "/('g0r1')/,/dumped/s/^0x0028 .../0x0028 $((home % 2 + 1))/" whole.lfts >astray.lfts
$ odonata emulate whole.net --tables astray.lfts
! odonata: emulation: switch "g0r1" port 1 lane 0: a wrong host received the packet to LID 40 of host "H1_1"
= 3
$ sed 's/^0x0028 .../0x0028 005/' whole.lfts >astray.lfts
$ odonata emulate whole.net --tables astray.lfts | grep -E '^(outcome|report)'; rm whole.* astray.*
outcome          livelock
report           a packet from host "H31_0" to host "H1_1" has taken 254 hops

# A switch with no hosts.
$ odonata map bad/no_hosts.net
topology          flatfly
switches          3
hosts             2
cables            5
contradictions    0
dimensions
  dimension  graph           size  width
          0  complete graph     3      1
$ odonata route bad/no_hosts.net | grep -E "^(topology|switches|hosts|delivers|deadlock|pairs|cut)"
topology                  flatfly
switches                  3
hosts                     2
delivers                  yes
deadlock free             yes
pairs                     15
cut pairs                 0

# A host with two ports is two hosts.
$ odonata route bad/two_ports.net | grep -E "^(topology|switches|hosts|delivers|deadlock|pairs|cut)"
topology                  flatfly
switches                  2
hosts                     3
delivers                  yes
deadlock free             yes
pairs                     10
cut pairs                 0

# LMC 1: two LIDs a host.
$ odonata route demo-dragonfly --lmc 1 | grep -E "^(delivers|pairs)"
delivers                  yes
pairs                     6480
$ odonata route bad/single.net --lmc 8
! odonata route: --lmc: expected a whole number from 0 to 7, found "8"
! Try `odonata route --help' or `odonata route --usage' for more information.
= 2

# A single switch.
$ odonata map bad/single.net
topology          flatfly
switches          1
hosts             3
cables            3
contradictions    0
dimensions
  dimension  graph           size  width
          0  complete graph     1      0
$ odonata route bad/single.net | grep -E "^(topology|switches|hosts|delivers|deadlock|pairs|cut)"
topology                  flatfly
switches                  1
hosts                     3
delivers                  yes
deadlock free             yes
pairs                     4
cut pairs                 0

# Specs.
$ odonata map dragonfli:p=2,a=4,h=2
! odonata: dragonfli:p=2,a=4,h=2: expected a topology (flatfly, hypercube, mesh, torus, dragonfly, slimfly, slimfly-flatfly, fattree, dragonfly-plus, random, bipartite, pgft) or a preset, found "dragonfli"
= 3
$ odonata map ""
! odonata: (no name): expected a topology (flatfly, hypercube, mesh, torus, dragonfly, slimfly, slimfly-flatfly, fattree, dragonfly-plus, random, bipartite, pgft) or a preset, found none
= 3
$ odonata map dragonfly:p=2,a=4
! odonata: dragonfly:p=2,a=4: expected h=..., found none
= 3
$ odonata map dragonfly:p=2,a=4,h=x
! odonata: dragonfly:p=2,a=4,h=x: expected h=a number from 1 to 254, found "x"
= 3
$ odonata map dragonfly:p=2,a=4,h=2,g=1000
! odonata: dragonfly:p=2,a=4,h=2,g=1000: expected 2 to a*h + 1 = 9 groups, found 1000
= 3
$ odonata map flatfly:k=4x4x4,c=4,c=5
! odonata: flatfly:k=4x4x4,c=4,c=5: expected c once, found twice
= 3
$ odonata map flatfly:k=100000x100000x100000
! odonata: flatfly:k=100000x100000x100000: expected k from 1 to 254, found 100000
= 3

# Command lines.
$ odonata 2>&1 | sed 1q
Usage: odonata COMMAND [OPTION...] [ARGUMENT...]
$ odonata fly
! odonata: expected a command, found 'fly'; 'odonata --help' lists them
= 2
$ odonata map
! odonata map: expected FABRIC...
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata whatif a b
! odonata whatif: expected FABRIC, found one more argument: 'b'
! Try `odonata whatif --help' or `odonata whatif --usage' for more information.
= 2
$ odonata map demo-dragonfly --damage 5
! odonata map: --damage: expected SWITCHES%,LINKS%[,SEED] from 0 to 100, found '5'
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map demo-dragonfly --damage 5%,101%
! odonata map: --damage: expected SWITCHES%,LINKS%[,SEED] from 0 to 100, found '5%,101%'
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map demo-dragonfly --miscable 1%,-1
! odonata map: --miscable: expected a whole number, found "-1"
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map demo-dragonfly --lmc 8
! odonata map: --lmc: expected a whole number from 0 to 7, found "8"
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata route demo-dragonfly --engine nonesuch
! odonata route: --engine: expected an engine, found 'nonesuch'; 'odonata list engines' lists them
! Try `odonata route --help' or `odonata route --usage' for more information.
= 2
$ odonata route demo-dragonfly --vls 0
! odonata route: --vls: expected a whole number from 1 to 15, found "0"
! Try `odonata route --help' or `odonata route --usage' for more information.
= 2
$ odonata export demo-dragonfly
! odonata: export: expected --format, or --output with an existing folder for all formats
= 2
$ odonata export demo-dragonfly --format nonesuch
! odonata export: --format: expected a format of tables, found 'nonesuch'; 'odonata list formats' lists them
! Try `odonata export --help' or `odonata export --usage' for more information.
= 2
$ odonata list nonesuch
! odonata: list: expected topologies|presets|engines|formats|patterns|workloads|placements|models|policies|adapters [NAME], found 'nonesuch'
= 2
$ odonata list topologies nonesuch
! odonata: list: expected one of 'odonata list topologies', found 'nonesuch'
= 2
$ odonata list presets demo-dragonfly
! odonata: list: expected no options, as presets have none, found 'demo-dragonfly'
= 2
$ odonata emulate demo-dragonfly --load 2
! odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '2'
! Try `odonata emulate --help' or `odonata emulate --usage' for more
! information.
= 2
$ odonata emulate demo-dragonfly --load 0.1:0.9
! odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '0.1:0.9'
! Try `odonata emulate --help' or `odonata emulate --usage' for more
! information.
= 2
$ odonata emulate demo-dragonfly --pattern nonesuch 2>&1 | cut -c1-40
odonata: expected a pattern of uniform, 
$ odonata emulate demo-dragonfly --policy nonesuch 2>&1 | cut -c1-40
odonata: expected a policy that "odonata
$ odonata emulate demo-dragonfly --model nonesuch 2>&1 | cut -c1-40
odonata: model: expected a preset that "
$ odonata emulate demo-dragonfly --workload nonesuch 2>&1 | cut -c1-40
odonata: expected a workload of alltoall

# Output that cannot be written. Nothing is left behind, the old file stays.
$ odonata list presets >/dev/full
! odonata: standard output: cannot write: No space left on device
= 5
$ echo old >kept; mkdir closed; odonata generate nowhere.net -o kept; cat kept; ls
old
bad
closed
empty
found
kept
none
packed.net
plain.net
windows.net
! odonata: nowhere.net: cannot open: No such file or directory
$ odonata generate demo-dragonfly -o nowhere/fabric.net
! odonata: nowhere/fabric.net: cannot write: No such file or directory
= 5

# A full disk is told once, with data on standard output or not; who is killed leaves nothing behind.
$ odonata generate demo-dragonfly -o /dev/full
! odonata: /dev/full: cannot write: No space left on device
= 5
$ odonata list engines >/dev/full
! odonata: standard output: cannot write: No space left on device
= 5
$ for words in --help help --version 'help map' 'map --help' 'map --usage' 'list engines --json' 'map demo-dragonfly'; do
> 	odonata $words >/dev/full; echo $?
> done 2>&1 | sort | uniq -c | sed 's/^ *//'
8 5
8 odonata: standard output: cannot write: No space left on device
$ mkdir killed; timeout 0.3 odonata emulate demo-dragonfly --cycles 1000000000 -o killed/out; ls -A killed
$ odonata generate demo-dragonfly -o killed/net; odonata map nowhere.net -o killed/net 2>/dev/null; ls -A killed; odonata map killed/net | sed 1q
net
topology          dragonfly

# What would be ignored is refused.
$ for words in 'map --svg --json' 'map --svg --coordinates' 'map --diff killed/net --svg' 'generate --json -f ibsim'; do
> 	odonata $words demo-dragonfly 2>&1 | sed 1q
> done
odonata map: --svg: expected --json or --svg, found both
odonata map: --coordinates: expected --svg or --coordinates, found both
odonata map: --svg: expected --diff or --svg, found both
odonata generate: --format: expected --json or --format, found both

# What a file holds does not command the terminal that it is shown on.
$ printf 'trace 1\n\033[31mranks\r\n' >trace; odonata emulate demo-dragonfly --workload trace:trace
! odonata: trace:2: expected "ranks N", found "?[31mranks"
= 3

# An adapter, of what is no live subnet.
$ odonata map demo-dragonfly -C mlx5_0
! odonata map: --Ca and --Port: expected the FABRIC live, found demo-dragonfly
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map live:mlx5_0 --Port 2
! odonata map: --Ca and --Port: expected the FABRIC live, found live:mlx5_0
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map demo-dragonfly --m_key 0x1234
! odonata map: --m_key: expected the FABRIC live, found demo-dragonfly
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map live --m_key no-such-file
! odonata map: --m_key: expected a number, or a file that holds it, found 'no-such-file'
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map live --m_key 0
! odonata map: --m_key: expected a whole number from 1 to 18446744073709551615, found "0"
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ : >empty-key; odonata map live --m_key empty-key
! odonata map: --m_key: expected a whole number from 1 to 18446744073709551615, found ""
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2
$ odonata map live --Port 0
! odonata map: --Port: expected a whole number from 1 to 254, found "0"
! Try `odonata map --help' or `odonata map --usage' for more information.
= 2

# LIDs of a file stay, and with them its LMC.
$ odonata generate flatfly:k=2x2,c=1 -o own.net; odonata map own.net --lmc 1
! odonata: --lmc: expected a fabric without LIDs, found hosts that have LIDs, with LMC 0
= 3
$ sed 's/ lid [0-9]*//g' own.net | odonata route - --lmc 1 | grep -E "^(delivers|pairs)"
delivers                  yes
pairs                     48
