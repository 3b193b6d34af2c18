# Uniform traffic; then what bounds adversarial traffic, and where.
$ odonata analyze demo-dragonfly --worst 1
engine              dragonfly
profile             ib
vls                 2
sls                 1
sl depends on       destination
sl2vl maps          2
traffic             uniform
saturation at most  1
max load            1
mean hops           2.338
lost                0
classes
  class           channels  mean load  max load
  host to switch        72          1         1
  global                72    0.90141   0.90141
  local                108    0.95775   0.95775
  switch to host        72          1         1
path lengths
  hops     share
     0  0.014085
     1   0.14085
     2   0.33803
     3   0.50704
worst
  from  from guid           from port  to    to guid             to port  load
  g0r0  0x0d0a000000200000          1  H0_0  0x0d0a000000400024        1     1
forwarding index    68
bisection           0.56389
least bisection     0.50926
$ odonata analyze demo-dragonfly --pattern advg:n=1 --worst 2 --bisections 0 --json
{
  "engine": "dragonfly",
  "profile": "ib",
  "vls": 2,
  "sls": 1,
  "sl_depends_on": "destination",
  "sl2vl_maps": 2,
  "traffic": "advg:n=1",
  "saturation_at_most": 0.125,
  "max_load": 8.0,
  "mean_hops": 2.5,
  "lost": 0.0,
  "classes": [
    {
      "class": "host to switch",
      "channels": 72,
      "mean_load": 1.0,
      "max_load": 1.0
    },
    {
      "class": "global",
      "channels": 72,
      "mean_load": 1.0,
      "max_load": 8.0
    },
    {
      "class": "local",
      "channels": 108,
      "mean_load": 1.0,
      "max_load": 4.0
    },
    {
      "class": "switch to host",
      "channels": 72,
      "mean_load": 1.0,
      "max_load": 1.0
    }
  ],
  "path_lengths": [
    {
      "hops": 1,
      "share": 0.0625
    },
    {
      "hops": 2,
      "share": 0.375
    },
    {
      "hops": 3,
      "share": 0.5625
    }
  ],
  "worst": [
    {
      "from": "g0r3",
      "from_guid": "0x0d0a000000200003",
      "from_port": 7,
      "to": "g1r0",
      "to_guid": "0x0d0a000000200004",
      "to_port": 6,
      "load": 8.0
    },
    {
      "from": "g1r3",
      "from_guid": "0x0d0a000000200007",
      "from_port": 7,
      "to": "g2r0",
      "to_guid": "0x0d0a000000200008",
      "to_port": 6,
      "load": 8.0
    }
  ]
}

# A permutation at reference size; an adaptive routing has no loads of its own.
$ odonata analyze paper-flatfly --pattern complement --bisections 0 | grep -E 'saturation|hops'
saturation at most  0.125
mean hops           4
  hops  share
$ odonata analyze demo-flatfly --engine ador
engine              ador
profile             ib-ext
vls                 2
sls                 1
sl depends on       destination
sl2vl maps          1
traffic             uniform
saturation at most  0.99609
best split found    0.98818
even split          0.59766
max load            1.6732
mean hops           3.7647
lost                0
classes
  class           channels  mean load  max load
  host to switch       256          1         1
  dimension 0          192     1.6732    1.6732
  dimension 1          192     1.6732    1.6732
  dimension 2          192     1.6732    1.6732
  switch to host       256          1         1
worst
  from    from guid           from port  to      to guid             to port    load
  S0_0_0  0x0d0a000000200000          5  S1_0_0  0x0d0a000000200010        5  1.6732
  S0_0_0  0x0d0a000000200000          6  S2_0_0  0x0d0a000000200020        5  1.6732
  S0_0_0  0x0d0a000000200000          7  S3_0_0  0x0d0a000000200030        5  1.6732
  S0_0_0  0x0d0a000000200000          9  S0_2_0  0x0d0a000000200008        8  1.6732
  S0_0_0  0x0d0a000000200000         10  S0_3_0  0x0d0a00000020000c        8  1.6732

# Nothing is said of what does not happen; a traffic that changes has no one load.
$ odonata analyze demo-slimfly --pattern advl
! odonata: pattern advl: expected hosts to send to others, found none in this fabric
= 4
$ odonata analyze flatfly:k=2,c=0 | grep -E 'saturation|bisection'
= 1
$ odonata analyze demo-dragonfly --pattern uniform/100/advg
! odonata: expected a traffic that stays as it is, found one that changes
= 3

# The permutation that loads some cable most: here all hosts of a group to another. Its flows are a
# traffic, for which the same bound comes out, and which emulation comes near.
$ odonata analyze demo-dragonfly --pattern worst --flows worst.flows --worst 0 --bisections 0
engine              dragonfly
profile             ib
vls                 2
sls                 1
sl depends on       destination
sl2vl maps          2
traffic             worst
saturation at most  0.125
max load            8
mean hops           2.5
lost                0
classes
  class           channels  mean load  max load
  host to switch        72    0.11111         1
  global                72    0.11111         8
  local                108    0.11111         2
  switch to host        72    0.11111         1
path lengths
  hops  share
     2    0.5
     3    0.5
worst permutation
  from                  g0r0
  from guid             0x0d0a000000200000
  from port             6
  to                    g8r3
  to guid               0x0d0a000000200023
  to port               7
  flows                 8
  load                  8
  no permutation above  8
$ sed -n '1p;3,4p' worst.flows
flows 1
0x0d0a000000400025 0x0d0a000000400065
0x0d0a000000400026 0x0d0a000000400066
$ odonata analyze demo-dragonfly --pattern flows:worst.flows --worst 0 --bisections 0 | grep -E 'saturation|host to'
saturation at most  0.125
  host to switch        72    0.11111         1
$ odonata emulate demo-dragonfly --pattern flows:worst.flows --load 1 --cycles 8000 | grep accepted
accepted         0.12512
accepted error   0.0012816
$ odonata analyze demo-dragonfly --pattern worst --worst 0 --bisections 0 --json | grep -A 11 worst_permutation
  "worst_permutation": {
    "from": "g0r0",
    "from_guid": "0x0d0a000000200000",
    "from_port": 6,
    "to": "g8r3",
    "to_guid": "0x0d0a000000200023",
    "to_port": 7,
    "flows": 8,
    "load": 8.0,
    "no_permutation_above": 8.0
  }
}
$ odonata analyze demo-dragonfly --flows worst.flows
! odonata analyze: --flows: expected --pattern worst, found uniform
! Try `odonata analyze --help' or `odonata analyze --usage' for more
! information.
= 2
$ odonata analyze demo-dragonfly --pattern worst --flows bad/no/such
! odonata: bad/no/such: cannot write: No such file or directory
= 5
$ odonata analyze demo-dragonfly --pattern flows:bad/single.net
! odonata: bad/single.net:2: expected "flows 1", found "Switch 4 "S0""
= 3
$ odonata analyze flatfly:k=2,c=0 --pattern worst | grep -E 'saturation|permutation'
= 1
$ odonata emulate demo-dragonfly --pattern worst
! odonata: expected a pattern of uniform, advg, advl, advp, neighbour, region, permutation, complement, reverse, rotation, shuffle, transpose, bits, tornado, shift, silent, hotregion, mix1, mix2, mix3, or flows:FILE alone; found "worst"
= 3

# All bounds at once.
$ odonata analyze demo-dragonfly --bounds
engine         dragonfly
profile        ib
vls            2
sls            1
sl depends on  destination
sl2vl maps     2
bounds
  traffic                    saturation at most
  uniform                                     1
  worst shift, n=8                        0.125
  complement                              0.125
  mean of 100 permutations               0.2965
  least of 100 permutations                 0.2
  worst permutation                       0.125
$ odonata analyze demo-dragonfly --bounds=10 --json | grep -A 3 'worst shift'
      "traffic": "worst shift, n=8",
      "saturation_at_most": 0.125
    },
    {
$ odonata analyze flatfly:k=2,c=0 --bounds
! odonata: expected at least two hosts, found 0
= 4

# Adaptive tables: what no split carries more than, what one carries, and the even split.
$ odonata analyze demo-dragonfly --engine ofar-ar --pattern advg:n=1 --worst 0 | grep -E 'saturation|split'
saturation at most  0.56479
best split found    0.56203
even split          0.5
$ odonata analyze demo-dragonfly --engine ofar-ar --pattern worst
! odonata: routing ofar-ar is adaptive: its loads depend on the traffic itself
= 4

# Bounds in GB/s, of the speed of the hosts' cables.
$ odonata generate flatfly:k=3x3,c=2 -o fabric.net
$ odonata analyze fabric.net --pattern complement --worst 0 --model infiniband | grep saturation
saturation at most           0.5
saturation at most GB per s  2
$ odonata analyze fabric.net --bounds=2 --model infiniband | sed -n '/^bounds/,$p'
bounds
  traffic                  saturation at most  GB per s
  uniform                                   1         4
  worst shift, n=2                        0.5         2
  complement                              0.5         2
  mean of 2 permutations                  0.5         2
  least of 2 permutations                 0.5         2
  worst permutation                       0.5         2
$ odonata analyze fabric.net --model infiniband --json | grep -c saturation_at_most_GB_per_s
1
$ odonata analyze fabric.net --pattern complement --worst 1 --model infiniband | sed -n '/^worst/,$p'
worst
  from  from guid           from port  to    to guid             to port  load  GB per s
  S0_0  0x0d0a000000200000          3  S1_0  0x0d0a000000200003        3     2         8
bisection                    0.81389
least bisection              0.66667
saturation at most GB per s  2
$ odonata analyze missing.net --model ofar
! odonata: --model: expected one that knows bytes and time, as infiniband (link-rates=1), found 'ofar'
= 3

# All cables between two groups are used, though a switch has fewer hosts than these are; and those of a link of a
# mesh. A spine without cables upwards does not draw what its group sends to itself to one leaf. Where some switches
# alone have hosts, the engine of the kind is held against others.
$ for f in dragonfly:p=1,a=16,h=1,g=5 dragonfly:p=2,a=16,h=2,g=5 mesh:k=8,l=3,c=1 \
> 	dragonfly-plus:p=8,leaves=8,spines=8,h=8,g=3,cables=28 pgft:m=16x2,w=1x2,p=1x4; do
> 	odonata analyze $f | awk '/^engine/ { engine = $2 } /^saturation/ { print engine, $NF }'
> done
dragonfly 1
dragonfly 1
dor 0.875
dragonfly-plus 0.74609
fattree 0.96875
