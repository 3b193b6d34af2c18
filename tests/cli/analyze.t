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
! odonata: routing ador is adaptive: its loads depend on the traffic itself
= 4

# Nothing is said of what does not happen; a traffic that changes has no one load.
$ odonata analyze demo-slimfly --pattern advl
! odonata: pattern advl: expected hosts to send to others, found none in this fabric
= 4
$ odonata analyze flatfly:k=2,c=0 | grep -E 'saturation|bisection'
= 1
$ odonata analyze demo-dragonfly --pattern uniform/100/advg
! odonata: expected a traffic that stays as it is, found one that changes
= 3
