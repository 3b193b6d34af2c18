# What a run prints. Figures are for the emulator's own tests to hold.
$ odonata emulate demo-dragonfly --load 0.3 --warmup 1000 --cycles 2000 >one; sed 's/  *[0-9.]*\(+git[0-9a-f.]*\)\?$//' one
topology         dragonfly
switches
hosts
cables
engine           dragonfly
profile          ib
vls
sls
sl depends on    destination
sl2vl maps
pattern          uniform
fabric           demo-dragonfly
model            ofar
model of         paper 000, Table
times are        cycles, to which this model gives no length in seconds
active hosts
seed
warmup asked
cycles asked
version
semantics
load asked
warmup cycles
measured cycles
offered
accepted
accepted error
latency error
fairness
mean path
packets
packet hops
escaped share
outcome          done
latency
  mean
  median
  p99
  max
network latency
  mean
  median
  p99
  max
hops
  local
  global
  host
  escape
paths
  hops     share
     0
     1
     2
     3
# The same on three threads, and another one with another seed.
$ odonata emulate demo-dragonfly --load 0.3 --warmup 1000 --cycles 2000 --threads 3 | diff one -
$ odonata emulate demo-dragonfly --load 0.3 --warmup 1000 --cycles 2000 --seed 2 | cmp -s one -
= 1

# A curve.
$ odonata emulate demo-flatfly --load 0.2,0.4 --warmup 500 --cycles 1000 --json | grep -E 'load|outcome'
  "load_asked": "0.2,0.4",
      "load": 0.2,
      "outcome": "done",
      "load": 0.4,
      "outcome": "done",
$ odonata emulate demo-dragonfly --load 0.2 --channels 2 --cycles 1000 | sed -n '/busiest/,/load/p'
busiest cables
  from  from guid           from port  to    to guid             to port   load
$ odonata emulate demo-dragonfly --load 0.2,0.4 --channels 2
! odonata emulate: --channels: expected one load, found several
! Try `odonata emulate --help' or `odonata emulate --usage' for more
! information.
= 2

# A policy, a burst, a workload.
$ odonata emulate demo-dragonfly --policy val --load 0.2 --warmup 1000 --cycles 2000 | grep -E '^(policy|outcome)'
policy           val
outcome          done
$ odonata emulate demo-dragonfly --burst 20 | grep -E '^(packets|outcome|burst)'
burst            20
packets          1440
outcome          done
$ odonata emulate demo-dragonfly --workload ring:bytes=1024 --ranks 8 --placement random | grep -E '^(workload|packets|outcome)'
workload         ring:bytes=1024
packets          448
outcome          done

# Messages in packets of the model's own bytes: two of an MTU each, of 1,000 bytes, of 32.
$ for model in infiniband valiant ofar ofar:phit-bytes=8; do
> 	odonata emulate demo-dragonfly --model $model --workload halo:size=72,bytes=4096,rounds=1 | grep '^packets'
> done
packets          288
packets          720
packets          18432
packets          9216

# Tables that deadlock: the run ends, and says who waits for whom.
$ odonata generate demo-dragonfly -o fabric.net
$ odonata export fabric.net --format lfts -o fabric.lfts
$ odonata emulate fabric.net --tables fabric.lfts --load 1 --cycles 100000 >deadlock
= 1
$ grep -E '^outcome' deadlock
outcome          deadlock

$ sed -n '/^report/,/^hops/p' deadlock | sed 's/".*//'
report           switch 
                 switch 
                 switch 
                 switch 
                 switch 
                 switch 
                 switch 
                 switch 
hops

# Over time, around a change of pattern at cycle 300.
$ odonata emulate demo-dragonfly --pattern uniform/300/advg:n=1 --load 0.1 --warmup 200 --cycles 200 --series 100 | sed -n '/^series/,$p' | awk '{print $1}'
series
cycle
0
100
200
300
$ odonata emulate demo-dragonfly --load 0.1,0.2 --series 100 2>&1 | sed 1q
odonata emulate: --series: expected one load, found several

# The packet that ends a burst, in whatever interval; what has not been measured is not called 0.
$ for cycles in 1 53 106 1000; do
> 	odonata emulate demo-dragonfly --burst 10 --cycles 1000 --series $cycles | awk '/^series/ { on = 1 } on { n += $3 } END { print n }'
> done
720
720
720
720
$ odonata emulate demo-dragonfly --pattern silent --json | grep -A 1 null
      "accepted_error": null,
      "latency_error": null,
      "fairness": 1.0,
      "mean_path": null,
      "packets": 0,
--
        "mean": null,
        "median": null,
        "p99": null,
        "max": null
      },
--
        "mean": null,
        "median": null,
        "p99": null,
        "max": null
      },

# Everything that is measured can be had: histograms that hold every packet, every switch's share,
# cables over time.
$ odonata emulate demo-dragonfly --load 0.3 --cycles 1000 --series 500 --channels 3 --histogram --switches >all
$ sum() { awk -v table="$1" '/^[a-z]/ { on = $0 == table; next } on { n += $'$2' } END { print n }' all; }
> packets=$(awk '$1 == "packets" && NF == 2 { print $2 }' all)
> for table in histogram 'network histogram'; do [ $(sum "$table" 2) = $packets ] || echo "$table differs"; done
> [ $(awk '$1 == "host" { print $2 }' all) = $packets ] || echo hops differ
> [ $(sum 'by switch' 4) -ge 2500 ] || echo too little injected
$ sed -n '/^busiest/,$p' all | awk '{print NF}'
2
12
19
19
19
$ odonata emulate demo-dragonfly --load 0.2,0.4 --histogram
! odonata emulate: --histogram: expected one load, found several
! Try `odonata emulate --help' or `odonata emulate --usage' for more
! information.
= 2

# A cable a quarter as fast as the hosts' is busy all the time with a quarter of the phits.
$ odonata generate flatfly:k=2,c=2 | sed '/^\[3\]/s/4xQDR/4xSDR/' >slow.net
$ odonata emulate slow.net --model infiniband --pattern neighbour --load 1 --cycles 20000 --channels 1 --json | grep -E '"load"|"accepted"'
      "load": 1.0,
      "accepted": 0.1248,
          "load": 0.9984,

# Bytes and nanoseconds: cables of 32 Gbit/s carry 64 bytes in 16 ns.
$ odonata emulate demo-dragonfly --model infiniband --load 80% --cycles 2000 | grep -v '^load asked' >percent; sed -n '/^units/,/host/p' percent
units
  phit bytes       64
  packet bytes     2048
  cycle ns         16
  load 1 GB per s  4
  fastest cable    4xQDR
  cable metres
    local   16
    global  156.8
    host    16
$ odonata emulate demo-dragonfly --model infiniband --load 3.2GB/s --cycles 2000 | grep -v '^load asked' | diff percent -
$ odonata emulate demo-dragonfly --model infiniband --load 0.8 --cycles 2000 | grep -v '^load asked' | diff percent -
$ awk '/^measured cycles/ { c = $3 } /^  measured us/ { print c * 16 / 1000 - $3 } /^accepted / && !a { a = $2 } /accepted GB/ { d = a * 4 - $5; print (d < 0.001 && d > -0.001) }' percent
1
0
$ odonata emulate demo-dragonfly --model infiniband --load 1GB/s:3GB/s:1GB/s --cycles 500 | sed -n '/^points/,$p' | awk '{ print $1, NF }'
points 1
load 18
0.25 11
0.5 11
0.75 11
# Cables by length, switches by time, packets and buffers by bytes: in whole cycles and phits.
$ odonata emulate demo-dragonfly --model infiniband:latency-local=16m,latency-global=157m,latency-host=80ns,pipeline=160ns,packet=2KiB,buffer-local=12800B --load 80% --cycles 2000 | grep -v '^load asked' | diff percent - | grep -c .
4
$ odonata emulate demo-dragonfly --model ofar:latency-local=5m --load 0.1
! odonata: model: expected latency-local in cycles, or a model that knows time, as infiniband (link-rates=1), found a time
= 3
$ for load in 5GB/s 0GB/s 101% 1GB/s,0.5 0.5GB 1GB/s:0.5:0.1; do
> 	odonata emulate demo-dragonfly --model infiniband --load $load 2>&1 | sed 1q
> done; odonata emulate demo-dragonfly --load 1GB/s
odonata: --load: expected up to 4GB/s, the data rate of the fastest cable, found 5GB/s
odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '0GB/s'
odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '101%'
odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '1GB/s,0.5'
odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '0.5GB'
odonata emulate: --load: expected loads above 0 and up to 1 as 0.5, 80%, 10GB/s, 0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '1GB/s:0.5:0.1'
! odonata: --load: expected a load up to 1, or in percent, because only --model infiniband (link-rates=1) knows GB/s; found 1GB/s
= 3
$ odonata emulate demo-dragonfly --model infiniband --load 0.5 --cycles 500 --series 250 --histogram --channels 1 --json >real.json
$ python3 -c '
> import json
> a = json.load(open("real.json"))["points"][0]
> same = lambda x, y: abs(x - y) < 1e-3 * abs(y)
> print(all(same(r["latency_us"], r["latency"] * 0.016) and same(r["accepted_GB_per_s"], r["accepted"] * 4) for r in a["series"]),
>       all(same(r["up_to_us"], r["up_to"] * 0.016) for r in a["histogram"] + a["network_histogram"]),
>       all(same(r["GB_per_s"], r["load"] * 4) for r in a["busiest_cables"]))'
True True True

# Sizes in bytes: 4 KiB are two packets of 2,048 bytes.
$ odonata emulate demo-dragonfly --model infiniband --burst 4KiB | grep -v ^burst >bytes; odonata emulate demo-dragonfly --model infiniband --burst 2 | grep -v ^burst | diff bytes -
$ odonata emulate demo-dragonfly --model infiniband --burst 1KiB | grep -E '^(burst|packets)  '
packets          72
$ odonata emulate demo-dragonfly --workload halo:size=8x9,bytes=1KiB | grep -v ^workload >bytes; odonata emulate demo-dragonfly --workload halo:size=8x9,bytes=1024 | grep -v ^workload | diff bytes -
$ odonata emulate demo-dragonfly --workload halo:size=8x9,bytes=2GiB; odonata emulate demo-dragonfly --workload halo:size=8x9,bytes=1KB; odonata emulate demo-dragonfly --burst 0KiB 2>&1 | sed 1q
odonata emulate: --burst: expected packets or, as 64KiB, bytes, found '0KiB'
! odonata: halo:size=8x9,bytes=2GiB: expected bytes from 0 to 1073741824, found 2147483648
! odonata: halo:size=8x9,bytes=1KB: expected bytes=a number, as 4096 or 4KiB, from 0 to 1073741824, found "1KB"

# VL arbitration tables of OpenSM's options; a VL that they leave out would never be sent.
$ printf 'qos_vlarb_high 0:4\nqos_vlarb_low 0:1,1:1\n' >qos.conf
$ odonata emulate demo-dragonfly --model infiniband --vlarb qos.conf --cycles 1000 | grep outcome
outcome          done
$ printf 'qos_vlarb_high 0:4\nqos_vlarb_low 0:1\n' >qos.conf
$ odonata emulate demo-dragonfly --model infiniband --vlarb qos.conf --cycles 1000
! odonata: emulation: switch "g0r0" port 3 gives VL 1 no weight in its VL arbitration tables
= 3
$ printf 'qos_vlarb_high 0:4;1:4\n' >qos.conf
$ odonata emulate demo-dragonfly --vlarb qos.conf
! odonata: qos.conf:1: expected the end of the line, found ";1:4"
= 3

# What would be ignored is refused.
$ odonata emulate demo-dragonfly --policy ofar:escape=a,root=3
! odonata: expected root=3 with an embedded tree, found escape=a
= 3
$ odonata emulate demo-dragonfly --policy ofar:escape=tree,root=36
! odonata: expected a root below 36, found 36
= 3
$ odonata emulate demo-dragonfly --policy ofar:escape=tree,root=35 --load 0.1 --cycles 500 | grep outcome
outcome          done
$ odonata emulate demo-dragonfly --policy ofar:escape=tree,root=3 --load 0.1 --cycles 500 | grep outcome
outcome          done
$ for words in '--workload ring --load 0.5' '--burst 3 --warmup 10' '--burst 3 --workload ring' '--ranks 5' '--placement random' '--pattern advg --workload ring' \
> 	'--policy val -e dragonfly' '--policy val --vls 4' '--policy val --tables fabric.lfts' '--tables fabric.lfts --strict'; do
> 	odonata emulate demo-dragonfly $words 2>&1 | sed 1q
> done
odonata emulate: --load: expected --workload or --load, found both
odonata emulate: --warmup: expected --burst or --warmup, found both
odonata emulate: --burst: expected --workload or --burst, found both
odonata emulate: --ranks: expected --workload beside it, found none
odonata emulate: --placement: expected --workload beside it, found none
odonata emulate: --pattern: expected --workload or --pattern, found both
odonata emulate: --policy: expected --engine or --policy, found both
odonata emulate: --policy: expected --vls or --policy, found both
odonata emulate: --policy: expected --tables or --policy, found both
odonata emulate: --tables: expected --strict or --tables, found both

# Computing takes its time whatever the cable's rate is; cycles do not, and the answer says how long they are.
$ printf 'trace 1\nranks 2\nrank 0\ncompute 1600us\nsend 1 64 after 1\nrank 1\nrecv 0 64\n' >time.trace
$ sed s/1600us/100000/ time.trace >cycles.trace; sed s/1600us/1.6ms/ time.trace >ms.trace
$ for trace in time ms cycles; do
> 	for speed in qdr ndr; do
> 		odonata emulate demo-torus:speed=$speed --model infiniband --workload trace:$trace.trace --json | python3 -c '
> import json, sys
> a = json.load(sys.stdin)
> print(round(a["points"][0]["real"]["measured_us"]), a.get("computing"))'
> 	done
> done
1600 None
1600 None
1600 None
1600 None
1600 {'given_in_cycles': 1, 'longest_cycles': 100000, 'longest_us_at_this_rate': 1600.0}
128 {'given_in_cycles': 1, 'longest_cycles': 100000, 'longest_us_at_this_rate': 128.0}
$ odonata emulate demo-torus --workload trace:time.trace
! odonata: time.trace:4: compute: expected cycles, or a model that knows time, as infiniband (link-rates=1), found a time of 1.6e+06 ns
= 3
$ odonata emulate demo-torus --workload halo:size=8x9,compute=10us
! odonata: halo: compute: expected cycles, or a model that knows time, as infiniband (link-rates=1), found a time of 10000 ns
= 3
$ for speed in qdr ndr; do
> 	odonata emulate demo-torus:speed=$speed --model infiniband --workload halo:size=8x9,bytes=64,rounds=2,compute=1ms --json >halo.json
> 	python3 -c 'import json; a = json.load(open("halo.json")); print(2000 < a["points"][0]["real"]["measured_us"] < 2020, a["units"]["switch_ns"])'
> done
True 160.0
True 160.0

# Loads are of the hosts that take part: two ranks, and not 72 hosts.
$ odonata emulate demo-torus --workload halo:size=2,rounds=1,wrap=0 --ranks 2 --json >two.json
$ python3 -c '
> import json
> a = json.load(open("two.json")); p = a["points"][0]
> print(a["active_hosts"], a["ranks"], a["placement"], a["seed"], round(p["accepted"] * p["measured_cycles"] * 2 * 4))'
2 2 linear 1 8192

# A placement that would be another is refused; the parts that ranks are dealt out to are told.
$ odonata emulate fattree:k=4,levels=3 --workload ring --placement group; odonata emulate random:n=20,d=5,c=1 --workload ring --placement group
! odonata: placement group: expected a fabric of several groups, found a fat tree, whose parts are pods (placement pod)
! odonata: placement group: expected a fabric of several groups, found one
= 4
$ odonata emulate fattree:k=4,levels=3 --workload ring --placement pod | grep -E '^place'
placement        pod
placed over      4 pods

# In a torus groups are what has the same first coordinate, and the answer says so.
$ odonata emulate torus:k=4x6,c=1 --workload ring --ranks 5 --placement group | grep -E '^place'
placement        group
placed over      2 sets of switches whose first coordinate is the same

# A workload that is cut off says so, and time may be given instead of cycles.
$ odonata emulate demo-torus:speed=ndr --model infiniband --workload ring --cycles 2us | grep -E '^(outcome|cut|cycles asked)'
cycles asked     1563
outcome          timeout
cut off          not ended after 1563 cycles, the most that it was given; --cycles gives it more
$ odonata emulate demo-torus:speed=ndr --model infiniband --workload trace:time.trace | grep 'cycles asked'
cycles asked     125000000
$ odonata emulate demo-torus --warmup 10us; odonata emulate demo-torus --model infiniband --cycles 1ns
! odonata: --warmup: expected cycles, or a model that knows time, as infiniband (link-rates=1), found 10 us
! odonata: --cycles: expected 0.016 to 3.2e+07 us at this rate, found 0.001 us
= 3

# The answer says which rates its cables have, and what was asked for.
$ odonata emulate demo-torus --model infiniband --load 0.1 --cycles 100 | grep '^cable rates'
cable rates      4xQDR 144; the spec names no speed=
$ odonata emulate demo-torus:speed=ndr,host-speed=2xhdr --damage 0%,5%,3 --shuffle 9 --seed 4 --model infiniband:packet=16 --load 0.1 --cycles 100 | grep -E '^(fabric|model|cable rates|seed|warmup asked)'
fabric           demo-torus:speed=ndr,host-speed=2xhdr
fabric changes   --damage=0%,5%,3 --shuffle=9
model            infiniband:packet=16
model of         InfiniBand volume 1, 7.9; a common switch's buffers
model changes    packet=16,latency-local=63,latency-global=613,latency-host=63,buffer-local=283,buffer-global=1383,buffer-host=283,pipeline=125,ejection-latency=63
cable rates      2xHDR 72, 4xNDR 68
seed             4
warmup asked     5000

# Valiant by the host's own link draws nothing: paths are the same for each seed.
$ for seed in 1 2; do odonata emulate demo-dragonfly --policy val:pick=link --burst 3 -p complement --seed $seed | grep -E '^  (local|global) '; done
  local   264
  global  360
  local   264
  global  360
$ odonata emulate demo-dragonfly --policy val:pick=link,recompute=yes
! odonata: with pick=link nothing is drawn, so recompute=yes has no meaning
= 3
