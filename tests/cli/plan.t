# What could be built, as tables and for a program.
$ odonata plan --hosts 72 --radix 8 --bisection 1
enough      6
not enough  3
candidates
  n  kind                   enough  hosts  switches  ports  cables  diameter  mean hops  bisection  uniform    worst  vls
  1  dragonfly+             yes        72        42      8     132         3     2.7606          1        1  0.33333    1
  2  fat tree, 3 levels     yes        72        54      8     144         4     3.6056          1        1      0.2    1
  3  dragonfly              yes        72        72      8     246         3     2.5493          1        1  0.16667    2
  4  FlatFly                yes        72        72      8     252         5     2.8732          1        1     0.25    1
  5  Slim Fly x FlatFly     yes        72        72      8     252         4     2.6479          1        1      0.2    2
  6  hypercube              yes       128       128      8     448         7     3.5276          1        1    0.125    1
  7  dragonfly, 2-D groups  no         72        72      6     174         5     3.1972        0.5        1  0.16667    2
  8  torus, 2-D             no         72        72      7     216         9     4.5634    0.66667        1      0.4    2
  9  torus, 3-D             no         80        80      7     240         6     3.2405        0.8        1     0.25    2
racks and cost
  n  racks  inside  electrical  optical  mean metres  longest  switch cost  cable cost  cost per host
  1      2      94          38        0         2.57     2.57         2046       16195         253.35
  2      2     108          36        0         2.57     2.57         2631       16962         272.12
  3      3     194          52        0       2.6467     3.14         3508       25039         396.49
  4      3     180          72        0       2.6017     3.14         3508       26298         413.97
  5      3     136         116        0       2.6683     3.14         3508       28487         444.38
  6      4     320         128        0        2.855     3.14         6236       47660         421.06
  7      3     130          44        0       2.6607     3.14         3508       19561          320.4
  8      3     168          48        0         2.57     2.57         3508       22616         362.83
  9      3     176          64        0         2.57     2.57         3898       25597         368.69
tables
  n  engine          vls  uniform    worst  worst known
  1  dragonfly-plus    1        1     0.25  yes
  2  fattree           1        1      0.2  yes
  3  dragonfly         2        1  0.16667  yes
  4  dor               1        1     0.25  yes
  5  slimfly           2        1      0.2  yes
  6  dor               1        1    0.125  yes
  7  dragonfly         2  0.94667  0.16667  yes
  8  torus             2        1  0.33333  yes
  9  torus             2        1      0.2  yes
specs
  n  spec
  1  dragonfly-plus:p=4,leaves=3,spines=4,h=5,g=6
  2  pgft:m=4x3x6,w=1x4x3,p=1x1x1
  3  dragonfly:p=1,a=6,h=2,g=12,cables=1,ports=8
  4  flatfly:k=2x2x2x3x3,c=1,ports=8
  5  slimfly-flatfly:q=3,k=2x2,c=1,ports=8
  6  hypercube:n=7,c=1,ports=8
  7  dragonfly:p=1,a=2x3,h=2,g=12,cables=1,ports=8
  8  torus:k=6x12,l=1x2,c=1,ports=8
  9  torus:k=4x4x5,c=1,ports=8
$ odonata plan --hosts 64 --radix 12 --tables 0 --json | head -20
{
  "enough": 10,
  "not_enough": 0,
  "candidates": [
    {
      "n": 1,
      "kind": "fat tree, 2 levels",
      "enough": true,
      "hosts": 64,
      "switches": 12,
      "ports": 12,
      "cables": 32,
      "diameter": 2,
      "mean_hops": 1.77778,
      "bisection": 0.5,
      "uniform": 0.5625,
      "worst": 0.125,
      "vls": 1
    },
    {

# Nothing is enough: the nearest of each kind, and exit code 1.
$ odonata plan --hosts 200 --radix 6 --bisection 5 --tables 0 | head -4
enough      0
not enough  2
candidates
  n  kind                enough  hosts  switches  ports  cables  diameter  mean hops  bisection  uniform     worst  vls
$ odonata plan --hosts 40000 --radix 3
enough          0
not enough      0
= 1

# A cabling list.
$ odonata plan --hosts 6 --radix 4 --cabling list.csv >plan && tail -1 plan && head -3 list.csv
  6  dragonfly:p=1,a=2x2,h=1,g=2,cables=1,ports=4
cable,kind,metres,from,from_row,from_rack,from_position,from_port,to,to_row,to_rack,to_position,to_port
1,electrical,1.0,"S0",1,1,1,1,"H0_0",1,1,4,1
2,electrical,1.0,"S0",1,1,1,2,"H0_1",1,1,5,1
$ odonata plan --hosts 6 --radix 4 --cabling list.csv --candidate 900
! odonata: --candidate: expected one of the 6 candidates, found 900
= 3
$ odonata plan --hosts 6 --radix 4 --cabling nowhere/list.csv
! odonata: nowhere/list.csv: cannot write: No such file or directory
= 5

# Prices.
$ printf 'gbps: 1\nswitch_port: 0\nelectrical_fixed: 0\nelectrical_metre: 0\n' >free.yaml
$ odonata plan --hosts 6 --radix 4 --tables 0 --prices free.yaml --json | grep -m3 cost
  "racks_and_cost": [
      "switch_cost": 0,
      "cable_cost": 32,
$ echo 'gbps: -1' >bad.yaml; odonata plan --hosts 6 --radix 4 --prices bad.yaml
! odonata: bad.yaml:1: gbps: expected a number from 0.001 to 1e+06, found "-1"
= 3
$ echo 'price: 1' >bad.yaml; odonata plan --hosts 6 --radix 4 --prices bad.yaml
! odonata: bad.yaml:1: expected a key that may stand here, found key "price"
= 3
$ echo 'rack_hosts: [1]' >bad.yaml; odonata plan --hosts 6 --radix 4 --prices bad.yaml
! odonata: bad.yaml:1: expected a single value, found a list
= 3
$ echo 'gbps: 1' >bad.yaml; echo 'inside: nan' >>bad.yaml; odonata plan --hosts 6 --radix 4 --prices bad.yaml
! odonata: bad.yaml:2: inside: expected a number from 0 to 1000, found "nan"
= 3
$ : >bad.yaml; odonata plan --hosts 6 --radix 4 --prices bad.yaml
! odonata: bad.yaml:1: expected keys and values, found nothing
= 3
$ odonata plan --hosts 6 --radix 4 --prices nowhere.yaml
! odonata: nowhere.yaml: cannot open: No such file or directory
= 3

# The command line.
$ odonata plan --hosts 6 2>&1 | head -1
odonata plan: expected --hosts and --radix
$ odonata plan --hosts 1 --radix 8 2>&1 | head -1
odonata plan: --hosts: expected a whole number from 2 to 48000, found "1"
$ odonata plan --hosts 60000 --radix 8 2>&1 | head -1
odonata plan: --hosts: expected a whole number from 2 to 48000, found "60000"
$ odonata plan --hosts 60 --radix 255 2>&1 | head -1
odonata plan: --radix: expected a whole number from 3 to 254, found "255"
$ odonata plan --hosts 60 --radix 8 --per-switch 8 2>&1 | head -1
odonata plan: --per-switch: expected less than --radix, found 8
$ odonata plan --hosts 60 --radix 8 --bisection x 2>&1 | head -1
odonata plan: --bisection: expected a number from 0 to 100, found "x"
$ odonata plan --hosts 60 --radix 8 --bisection 1 --oversubscription 2 2>&1 | head -1
odonata plan: --oversubscription: expected --bisection or --oversubscription, found both
$ odonata plan --hosts 60 --radix 8 --candidate 2 2>&1 | head -1
odonata plan: --candidate: expected --cabling beside it, found none
$ odonata plan --figures nowhere
! odonata: nowhere/kim-fig01.csv: cannot write: No such file or directory
= 5
$ odonata plan --figures . --hosts 6 2>&1 | head -1
odonata plan: --figures: expected --hosts or --figures, found both

# Loads as elsewhere.
$ odonata plan -n 500 -r 36 --saturation 80% >percent; odonata plan -n 500 -r 36 --saturation 0.8 | diff percent -
$ odonata plan -n 500 -r 36 --saturation 8GB/s 2>&1 | sed 1q
odonata plan: --saturation: expected a load from 0 to 1, as 0.8 or 80%, found '8GB/s'
