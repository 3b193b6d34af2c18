# Experiments: run, gone on with, refused.
$ cat >small.yaml <<END
> name: small
> title: Two routings, one of which does not fit
> fabric: demo-slimfly
> measure: load
> patterns: [uniform, silent]
> loads: [0.1, 0.2]
> warmup: 100
> measured: 200
> curves:
>   - {name: tables, routing: tables}
>   - {name: DOR, routing: dor}
> END
$ odonata experiment small.yaml
experiment  small
title       Two routings, one of which does not fit
points      8
declined    4
results     ./small.csv
plot        ./small.gp
$ cut -d, -f1-6 small.csv | grep -v '^#'
point,curve,pattern,load,seed,outcome
0,tables,"uniform",0.1,1,done
1,tables,"uniform",0.2,1,done
2,tables,"silent",0.1,1,done
3,tables,"silent",0.2,1,done
4,DOR,"uniform",0.1,1,declined
5,DOR,"uniform",0.2,1,declined
6,DOR,"silent",0.1,1,declined
7,DOR,"silent",0.2,1,declined

# A panel in which nothing is to be seen does not keep the others from being drawn.
$ if command -v gnuplot >/dev/null; then gnuplot small.gp 2>&1 | grep -i -E 'undefined|line 0'; grep '^</svg>' small.svg; else echo '</svg>'; fi
</svg>

# What is there is not run again, and what is not is; other parameters are another sweep.
$ cp small.csv whole.csv; sed -i '/^5,/,$d' small.csv; odonata experiment small.yaml --threads 2 >again; cmp small.csv whole.csv
$ odonata experiment small.yaml --measured 300 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: ./small.csv:N: expected the parameters of this sweep, found those of another; move the file away
$ odonata generate demo-slimfly -o fabric.net; sed 's/demo-slimfly/fabric.net/; s/^name.*/name: other/' small.yaml >other.yaml
$ odonata experiment other.yaml | grep points; odonata generate demo-slimfly --damage 0%,5% -o fabric.net
points      8
$ odonata experiment other.yaml 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: ./other.csv:N: expected the parameters of this sweep, found those of another; move the file away

# A file that an older version wrote, without a field of models that came later: what was 0 then is gone on
# with, after one of its points has given the same again. Its columns stay as they are.
$ sed 's/ minimal-first=0//; s/ paced-hosts=0//; s/^# title: .*/# title: Once called so/; /^# semantics/d' small.csv >older.csv
$ mkdir late; sed '/^1,/d; s/^\(point,.*\),note$/\1,jain,note/' older.csv | awk -F, -v OFS=, '/^[0-9]/ { $NF = "," $NF } 1' >late/small.csv
$ odonata experiment small.yaml --folder late | grep -E 'points|declined'; grep -c '^# title: Once' late/small.csv
points      8
declined    4
1
$ grep '^1,' late/small.csv | cut -d, -f1-8,23-; grep '^1,' small.csv | cut -d, -f1-8,23-
1,tables,"uniform",0.2,1,done,0.1956,0.1968,984,100,200,0.953559,""
1,tables,"uniform",0.2,1,done,0.1956,0.1968,984,100,200,""
$ sed -i 's/^\(2,.*done,\)[0-9.]*/\10.4/; s/^\(0,.*done,\)[0-9.]*/\10.4/; /^1,/d' older.csv; mkdir stale; cp older.csv stale/small.csv; odonata experiment small.yaml --folder stale
! odonata: stale/small.csv: expected points as this version makes them, found point 2 with offered was 0.4, is 0; move the file away to run all points again
= 3
$ sed 's/^# semantics.*/# semantics: 77/' small.csv >stale/small.csv; odonata experiment small.yaml --folder stale 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: stale/small.csv:N: expected points of an emulator with semantics 1, found semantics 77: points of two semantics do not mix; move the file away to run all points again
$ sed '1s/^/# # withdrawn: for a reason\n/' small.csv >stale/small.csv; odonata experiment small.yaml --folder stale
! odonata: stale/small.csv:1: expected results, found withdrawn ones; move the file away to run all points again
= 3

# A field that has no such value: another version's.
$ sed -i 's/ minimal-first=[01]//; s/ iterations=[0-9]*//' small.csv
$ odonata experiment small.yaml 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: ./small.csv:N: expected the parameters of this sweep, found those of an older version, without "iterations=3": points of two versions do not mix; move the file away to run all points again, or continue with that version ('odonata experiment --redraw' draws the points that exist)

# It is drawn all the same, be it finished or not: what was run, not what its file asked for.
$ cp small.gp before.gp; rm small.gp; odonata experiment --redraw small.csv; cmp small.gp before.gp
experiment  small
title       Two routings, one of which does not fit
points      8
declined    4
results     ./small.csv
plot        ./small.gp
$ mkdir run; odonata experiment small.yaml --measured 50 --seeds 2 --loads 0.3 --folder run >/dev/null; mv run/small.gp run/small.md .
$ sed -i '/^[2-7],/d' run/small.csv; odonata experiment --redraw run/small.csv | grep -E 'points|plot'; grep tables run/small.md
points      2
plot        run/small.gp
| tables | 0.2696 | |
$ cp run/small.csv run/other.csv; odonata experiment --redraw run/other.csv
! odonata: run/other.csv: expected a file called small.csv, as the experiment in it is
= 3
$ cp run/small.csv old.csv; sed -i 's/^1,/9,/' run/small.csv; odonata experiment --redraw run/small.csv 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: run/small.csv:N: expected a point from 0 to 7, found 9
$ sed 's/^point,curve/point,colour/' old.csv >run/small.csv; odonata experiment --redraw run/small.csv
! odonata: run/small.csv: expected the columns "point,curve,pattern,load,seed,outcome,offered,accepted,accepted_er...", found others
= 3
$ sed 's/as run: warmup.*/as run: warmup 1, measured 9, loads 7/' old.csv >run/small.csv; odonata experiment --redraw run/small.csv 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: run/small.csv:N: expected "# as run: " and what was run before, as 'odonata experiment' writes it
$ odonata experiment --redraw small.yaml
! odonata: small.yaml:1: expected "# as run: " and what was run before, as 'odonata experiment' writes it
= 3
$ odonata experiment --redraw small.csv --seeds 2
! odonata experiment: --seeds: expected --redraw or --seeds, found both
! Try `odonata experiment --help' or `odonata experiment --usage' for more
! information.
= 2

# Keys that the measure leaves idle, things that are no key.
$ sed 's/^warmup.*/packets: 5/' small.yaml >idle.yaml; odonata experiment idle.yaml
! odonata: idle.yaml:7: expected no key "packets" with measure: load, found it
= 3
$ sed 's/^warmup.*/? [a, b]: c/' small.yaml >idle.yaml; odonata experiment idle.yaml 2>&1 | sed 's/:[0-9]*:/:N:/'
odonata: idle.yaml:N: expected a word for each key, found something else
$ odonata experiment nowhere.yaml
! odonata: nowhere.yaml: cannot open: No such file or directory
= 3
$ odonata experiment small.yaml --folder /dev/full
! odonata: /dev/full/small.csv: cannot be opened: Not a directory
= 5

# Several experiments in a file, which share what another has.
$ grep -v '^name\|^fabric\|^curves\|^  - \|^patterns' small.yaml | sed 's/^title.*/patterns: [uniform]/' >base.yaml
$ cat >several.yaml <<END
> include: base.yaml
> title: Minimal on two fabrics
> curves:
>   - {name: MIN, routing: min}
> variants:
>   - name: first
>     fabric: demo-dragonfly
>   - name: second
>     fabric: dragonfly:p=1,a=2,h=1
>     loads: [0.3]
>   - name: third
>     fabric: dragonfly:p=1,a=2
> END
$ odonata experiment --list several.yaml
experiments
  experiment  points  fabric                 title
  first            2  demo-dragonfly         Minimal on two fabrics
  second           1  dragonfly:p=1,a=2,h=1  Minimal on two fabrics
  third            2  dragonfly:p=1,a=2      Minimal on two fabrics
$ odonata experiment --print several.yaml --only second
name: second
title: Minimal on two fabrics
fabric: dragonfly:p=1,a=2,h=1
patterns: [uniform]
measure: load
loads: [0.3]
warmup: 100
measured: 200
curves:
  - {name: MIN, routing: min}
$ odonata experiment several.yaml --only second
experiment  second
title       Minimal on two fabrics
points      1
results     ./second.csv
plot        ./second.gp
$ odonata experiment --print several.yaml --only second >second.yaml; cp second.csv is.csv; rm second.csv
$ odonata experiment second.yaml >again; cmp second.csv is.csv
$ odonata experiment several.yaml
! odonata: several.yaml:12: dragonfly:p=1,a=2: expected h=..., found none
= 3
$ sed -i '/third/,$d' several.yaml; odonata experiment several.yaml; odonata experiment several.yaml --json | grep -c '"done"'
experiments
  experiment  points  done  results
  first            2     2  ./first.csv
  second           1     1  ./second.csv
2
$ odonata experiment --only fourth several.yaml
! odonata: several.yaml: expected one of its experiments (first, second), found "fourth"
= 3
$ odonata experiment --print several.yaml
! odonata: several.yaml: expected --only with one of its 2 experiments beside --print
= 3
$ odonata experiment several.yaml --packets 5
! odonata: base.yaml:2: expected measure: burst to send other numbers of packets, found another measure
= 3
$ odonata experiment several.yaml --pattern tornado
! odonata: base.yaml:1: expected a pattern that begins with tornado, found none
= 3
$ odonata experiment several.yaml --only first --pattern uni | grep points
points      2
$ odonata experiment --list several.yaml --seeds 2 2>&1 | head -1
odonata experiment: --seeds: expected --list or --seeds, found both
$ odonata experiment --list --print several.yaml 2>&1 | head -1
odonata experiment: --list: expected --print or --list, found both
$ odonata experiment --redraw first.csv --only first 2>&1 | head -1
odonata experiment: --only: expected --redraw or --only, found both
$ sed -i 's/base.yaml/basis.yaml/' several.yaml; odonata experiment several.yaml
! odonata: several.yaml:1: basis.yaml: cannot open: No such file or directory
= 3

# Of a model that knows bytes and time: what a cycle and load 1 are, on the terminal, in the table and in the plot.
$ printf '%s\n' 'name: ib' 'title: t' 'fabric: dragonfly:p=1,a=2,h=1' 'model: infiniband' 'measure: load' 'patterns: [uniform]' 'loads: [0.1]' 'warmup: 100' 'measured: 200' 'curves:' '  - {name: T, routing: tables}' >ib.yaml
$ odonata experiment ib.yaml | grep -E "^(load|cycle)"
load 1 GB per s  4
cycle ns         16
$ grep "^Load" ib.md && odonata experiment --redraw ib.csv >/dev/null && grep "^Load" ib.md
Load 1 is 4 GB/s, a cycle 16 ns.
Load 1 is 4 GB/s, a cycle 16 ns.
$ mv ib.csv was.csv; odonata experiment ib.yaml --loads 0.1,0.2 >/dev/null; grep -o "label '.*'" ib.gp
label 'offered load, phits/(host cycle), 1 is 4 GB/s'
label 'latency, cycles'
label 'microseconds'
label 'accepted load'
label 'GB/s of a host'
# A burst in bytes is as many packets as they fill, of each curve's model.
$ for packets in 5 9KiB 10KiB; do sed -e "s/^measure: load/measure: burst/; s/^loads.*/packets: $packets/; s/^name: ib/name: burst/; /^warmup/d" ib.yaml >burst.yaml; rm -f burst.csv; odonata experiment burst.yaml >/dev/null; grep ^0, burst.csv | cut -d, -f 1-9; done | uniq -c | awk '{ print $1 }'
3
$ odonata experiment burst.yaml | head -1; sed -i 's/10KiB/11KiB/' burst.yaml; odonata experiment burst.yaml 2>&1 | cut -c 1-61
experiment       burst
odonata: ./burst.csv:7: expected the parameters of this sweep
$ sed -i 's/11KiB/11KB/' burst.yaml; odonata experiment burst.yaml
! odonata: burst.yaml:7: expected packets or, as 64KiB, bytes for packets, found "11KB"
= 3
# The same in columns of the CSV; and loads as shares, percent or GB/s, in the file and on the command line.
$ awk -F, '$2 == "curve" { for (i = 1; i <= NF; i++) at[$i] = i } $2 == "T" { a = $at["accepted"] * 4 - $at["accepted_GB_per_s"]; l = $at["latency"] * 0.016 - $at["latency_us"]; print (a < 1e-4 && a > -1e-4), (l < 1e-4 && l > -1e-4) }' ib.csv
1 1
1 1
$ grep ^[01], ib.csv >plain; rm ib.csv; odonata experiment ib.yaml --loads 0.4GB/s,0.8GB/s >/dev/null; grep ^[01], ib.csv | diff plain -
$ for loads in '10%, 20%' '0.4GB/s, 0.8GB/s' '10%:20%:10%' '0.4GB/s:0.8GB/s:0.4GB/s'; do rm ib.csv; sed -i "s#^loads.*#loads: [$loads]#" ib.yaml; odonata experiment ib.yaml >/dev/null; grep ^[01], ib.csv | diff plain -; done
$ odonata experiment ib.yaml --loads 5GB/s; odonata experiment small.yaml --loads 1GB/s
! odonata: --loads: expected up to 4GB/s, the data rate of the fastest cable, found 5GB/s
! odonata: --loads: expected a load up to 1, or in percent, because only --model infiniband (link-rates=1) knows GB/s; found 1GB/s
= 3
$ for loads in '5GB/s' '0.1, 1GB/s' '101%'; do sed -i "s#^loads.*#loads: [$loads]#" ib.yaml; odonata experiment ib.yaml; done
! odonata: ib.yaml:7: loads: expected up to 4GB/s, the data rate of the fastest cable, found 5GB/s
! odonata: ib.yaml:7: expected loads above 0 up to 1 as 0.5 or 80%, or all in GB/s as 2GB/s, or from:to:step for loads, found "1GB/s"
! odonata: ib.yaml:7: expected loads above 0 up to 1 as 0.5 or 80%, or all in GB/s as 2GB/s, or from:to:step for loads, found "101%"
= 3
# A CSV of before there were such columns is gone on with, and drawn.
$ sed -i 's,^loads.*,loads: [0.1],' ib.yaml; cut -d, -f1-25,34 was.csv | sed 's/^# l.*/# loads: [0.1]/' >ib.csv; grep -v '^0' ib.csv >cut; cp ib.csv old; cp cut ib.csv; odonata experiment ib.yaml >/dev/null; diff old ib.csv; tail -n 1 ib.md
| T | 0.2133 |
