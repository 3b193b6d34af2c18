# Figures of a manifest: run, judged, drawn, checked.
$ mkdir configs results; cat >configs/small.yaml <<END
> name: small
> title: Minimal routing
> fabric: demo-dragonfly
> model: kim
> measure: load
> patterns: [uniform, "advg:n=1"]
> loads: [0.1, 0.5, 0.9]
> warmup: 200
> measured: 400
> curves:
>   - {name: MIN, routing: min}
>   - {name: VAL, routing: val}
> END
$ cat >results/papers.yaml <<END
> papers:
>   - {number: "001", title: A paper, authors: Somebody}
> figures:
>   - name: small
>     paper: "001"
>     figure: Figure 8
>     title: A figure | of <two> routings
>     config: ../configs/small.yaml
>     results: small.csv
>     run: {loads: [0.1, 0.9]}
>     unexplained: Nothing.
>     words:
>       - {ours: "advg:n=1", papers: "WC"}
>     claims:
>       - {says: limited to 1/(a h), where: section 4, figure: accepted, of: {curve: MIN, pattern: "advg:n=1"}, paper: "0.125", tolerance: "0.1"}
>       - {says: half of it, where: section 4, figure: accepted, of: {curve: VAL, pattern: uniform, load: most}, paper: "0.45..0.5", rule: at-most, tolerance: "0"}
>       - {says: twice, where: section 4, figure: latency, of: {curve: VAL, pattern: uniform, load: "0.1"}, over: {curve: MIN, pattern: uniform, load: "0.1"}, paper: "9"}
>       - {says: unknown, where: section 4, figure: accepted, of: {curve: MIN, pattern: uniform, load: "0.5"}, paper: "0.5"}
>   - {name: other, paper: "001", figure: Figure 9, title: Another, config: ../configs/small.yaml, experiment: small, results: none/small.csv}
> END
$ odonata reproduce --manifest results/papers.yaml --list
figures
  name   paper  figure    results  points  of  verdict         title
  small  001    Figure 8  not run       0   8  cannot be told  A figure | of <two> routings
  other  001    Figure 9  not run       0  12  no claim        Another
$ odonata reproduce --manifest results/papers.yaml small
figures
  name   paper  figure    results    points  of  ran  verdict                               title
  small  001    Figure 8  not tried       8   8    8  1 agrees, 2 differ, 1 cannot be told  A figure | of <two> routings
$ grep -c '^[0-9]' results/small.csv; grep -c '^# semantics: 1$' results/small.csv; ls results; ls results/papers
8
1
papers
papers.yaml
small.csv
small.gp
README.md
small.md
small.svg
$ grep -E '^#|Verdict|^\|' results/papers/small.md | sed 's/^#/=#/'
=# Paper 001, Figure 8
Verdict: 1 agrees, 2 differ, 1 cannot be told.
=### What remains unexplained
=### What the paper says
| the paper says | where | what | paper | ours | seeds | verdict |
|---|---|---|---|---|---|---|
| limited to 1/(a h) | section 4 | accepted of MIN, WC | 0.125 ± 10 % | 0.1251 | 1 | agrees |
| half of it | section 4 | accepted of VAL, uniform, at the best load | at most 0.45..0.5 | 0.5555 | 1 | differs |
| twice | section 4 | latency of VAL, uniform, load 0.1, as a share of MIN, uniform, load 0.1 | 9 ± 15 % | 1.587 | 1 | differs |
| unknown | section 4 | accepted of MIN, uniform, load 0.5 | 0.5 ± 15 % |  |  | cannot be told: this load was not run |
=### How it was run
| curve | routing | changes of the model |
|---|---|---|
| MIN | min |  |
| VAL | val |  |

# Verdicts that depend on the seed: seeds disagree, or a single seed is near the limit.
$ mkdir chance; sed -e 's/name: small/name: chance/' -e 's/^patterns:.*/patterns: [uniform]/' -e 's/^loads:.*/loads: [0.9]/' -e '/VAL/d' configs/small.yaml >configs/chance.yaml
$ cat >chance/papers.yaml <<END
> papers:
>   - {number: "001", title: A paper, authors: Somebody}
> figures:
>   - name: chance
>     paper: "001"
>     figure: Figure 8
>     title: A figure
>     config: ../configs/chance.yaml
>     results: chance.csv
>     run: {seeds: 3}
>     claims:
>       - {says: two of three, where: section 4, figure: accepted, of: {curve: MIN, pattern: uniform}, paper: "0.9", rule: at-most, tolerance: "0"}
>       - {says: all, where: section 4, figure: accepted, of: {curve: MIN, pattern: uniform}, paper: "0.91", rule: at-most, tolerance: "0"}
> END
$ odonata reproduce --manifest chance/papers.yaml >out; grep -E '^Verdict|^\|.*accepted' chance/papers/chance.md
Verdict: agrees (1 depends on the seed).
| two of three | section 4 | accepted of MIN, uniform | at most 0.9 | 0.8987 | 3 | agrees; so do 2 of 3 seeds alone |
| all | section 4 | accepted of MIN, uniform | at most 0.91 | 0.8987 | 3 | agrees |
$ sed -i -e 's/seeds: 3/seeds: 1/' -e 's/paper: "0.9"/paper: "0.95"/' chance/papers.yaml; rm chance/chance.csv; odonata reproduce --manifest chance/papers.yaml >out; grep -E '^Verdict|^\|.*accepted' chance/papers/chance.md
Verdict: agrees (1 depends on the seed).
| two of three | section 4 | accepted of MIN, uniform | at most 0.95 | 0.9016 | 1 | agrees |
| all | section 4 | accepted of MIN, uniform | at most 0.91 | 0.9016 | 1 | agrees; near its limit, of one seed |
$ sed -n '/figures. The papers/,/^$/p' chance/papers/README.md | grep .
1 figures. The papers make claims about them in numbers: 2 agree with our results, 0 differ, and 0
cannot be told. 1 of these verdicts depend on the seed: seeds disagree, or a single seed is near the
limit.

# seeds-in-doubt: more seeds of the points of such a verdict, and of no others. With these it depends on the seed no more, or stays.
$ mkdir doubt; sed -e 's/name: small/name: doubt/' -e 's/^loads:.*/loads: [0.1, 0.85, 0.9]/' -e 's/^curves:/details: [path]\n&/' configs/small.yaml >configs/doubt.yaml
$ sed -e 's/chance/doubt/' -e 's/^figures:/seeds-in-doubt: 9\n&/' -e 's/seeds: 1/seeds: 1, seeds-in-doubt: 3/' -e '/says: two/d' -e 's/uniform}, paper: "0.91"/uniform, load: most}, paper: "0.91"/' chance/papers.yaml >doubt/papers.yaml
$ cat >>doubt/papers.yaml <<END
>       - {says: far from it, where: section 4, figure: accepted, of: {curve: VAL, pattern: uniform}, paper: "0.9", rule: at-most}
>       - {says: near it, where: section 4, figure: accepted, of: {curve: MIN, pattern: uniform, load: "0.1"}, over: {curve: VAL, pattern: uniform, load: "0.1"}, paper: "1", rule: at-most, tolerance: "0.001"}
> END
$ odonata reproduce --manifest doubt/papers.yaml | cut -c1-70; odonata reproduce --manifest doubt/papers.yaml --list | awk '/doubt/ { print $7, $8 }'; grep -cE '^[0-9]+,' doubt/doubt.csv; ls doubt | grep -c path; grep -E ',[23],done,' doubt/doubt.csv | cut -d, -f2-5; grep -E '^Verdict|^\|.*accepted|points' doubt/papers/doubt.md
figures
  name   paper  figure    results    points  of  ran  verdict         
  doubt  001    Figure 8  not tried      18  18   18  2 agree, 1 diffe
18 18
18
18
MIN,"uniform",0.1,2
MIN,"uniform",0.1,3
MIN,"uniform",0.9,2
MIN,"uniform",0.9,3
VAL,"uniform",0.1,2
VAL,"uniform",0.1,3
Verdict: 2 agree, 1 differs (1 depends on the seed).
| all | section 4 | accepted of MIN, uniform, at the best load | at most 0.91 | 0.8987 | 3 | agrees |
| far from it | section 4 | accepted of VAL, uniform | at most 0.9 ± 15 % | 0.5555 | 1 | agrees |
| near it | section 4 | accepted of MIN, uniform, load 0.1, as a share of VAL, uniform, load 0.1 | at most 1 ± 0.1 % | 1.001 | 3 | differs; so do 2 of 3 seeds alone |
Fabric demo-dragonfly, model kim: 18 of 18 points, in doubt.csv. Seeds 1 to 3 where a verdict
$ sed -i 's/seeds-in-doubt: 3/seeds-in-doubt: 4/' doubt/papers.yaml; odonata reproduce --manifest doubt/papers.yaml --list | tail -1 | cut -c1-48; odonata reproduce --manifest doubt/papers.yaml --check | head -2
  doubt  001    Figure 8  in part      18  20  2
results           1
same              1
$ sed -i 's/seeds-in-doubt: 4/seeds-in-doubt: 0/' doubt/papers.yaml; odonata reproduce --manifest doubt/papers.yaml --list
! odonata: doubt/papers.yaml:11: expected a whole number from 1 to 1000, found "0"
= 3

# The line is that of the figure, the key and the claim, though the value stands in others, too.
$ sed -e 's/title: A figure/title: "0"/' doubt/papers.yaml >doubt/run.yaml; odonata reproduce --manifest doubt/run.yaml --list
! odonata: doubt/run.yaml:11: expected a whole number from 1 to 1000, found "0"
= 3
$ sed -e 's/seeds-in-doubt: 0/seeds-in-doubt: 20/' -e 's/tolerance: "0.001"/tolerance: "20"/' doubt/papers.yaml >doubt/claim.yaml; odonata reproduce --manifest doubt/claim.yaml --list
! odonata: doubt/claim.yaml:15: expected a number from 0 to 10, found "20"
= 3

# What is whole is not run again; what is missing is.
$ cp results/small.csv whole.csv; touch -d 2001-01-01 results/small.csv; odonata reproduce --manifest results/papers.yaml small >out; find results/small.csv -newermt 2002-01-01
$ sed -i '/^[2-5],/d' results/small.csv; odonata reproduce --manifest results/papers.yaml small >out; cmp whole.csv results/small.csv

# What the manifest or the configuration asks for beyond that: the points that are missing are run, the others
# are taken over, with the files beside them. Whatever was there is the same then as in a run of all.
$ mkdir more more/whole; sed 's/name: small/name: more/; s/^curves:/details: [path]\n&/; s/^loads:.*/loads: [0.1, 0.9]/' configs/small.yaml >configs/more.yaml
$ grep -v 'run:\|words:\|ours:\|claims:\|says:\|other' results/papers.yaml | sed 's/small/more/' >more/papers.yaml; odonata reproduce --manifest more/papers.yaml >out
$ sed 's/^  - {name: VAL/  - {name: UGAL-L, routing: ugal-l}\n&/; s/^loads:.*/loads: [0.1, 0.5, 0.9]\nseeds: 2/; s/uniform, /uniform, "advg:n=2", /' configs/more.yaml >configs/asks.yaml; sed 's/more.yaml/asks.yaml/; s/^    results/    experiment: more\n&/' more/papers.yaml >more/asks.yaml
$ odonata reproduce --manifest more/asks.yaml --list | cut -c1-65; odonata reproduce --manifest more/asks.yaml --check | tail -3
figures
  name  paper  figure    results  points  of  verdict   title
  more  001    Figure 8  in part       8  54  no claim  A figure 
not as asked for
  name  results   asked for
  more  more.csv  46 more points
$ cp -r more head; sed -i 's/\(model of VAL: packet=\)1/\12/' head/more.csv; odonata reproduce --manifest head/asks.yaml
! odonata: more: head/more.csv:15: expected the parameters of this sweep, found those of another; move the file away
= 3
$ cp -r more first; sed -i '/^# semantics/d; s/,done,0/,done,7/' first/more.csv; odonata reproduce --manifest first/asks.yaml
! odonata: more: first/more.csv: expected points as this version makes them, found point 0 with offered was 7.0977083, is 0.0977083; move the file away to run all points again
= 3
$ odonata experiment configs/asks.yaml --folder more/whole >out; sed -i '/^7,/s/done,0/done,7/' more/more.csv; sed -i 's/^4,.*/4,1/' more/more.7.path.csv
$ odonata reproduce --manifest more/asks.yaml | cut -c1-60; ls more | grep -c path; ls more/whole | grep -c path
figures
  name  paper  figure    results    points  of  ran  verdict
  more  001    Figure 8  not tried      54  54   46  no clai
54
54
$ diff more/more.csv more/whole/more.csv | grep '^<' | cut -c1-50; for file in more/whole/*path.csv; do cmp $file more/${file##*/}; done
< 52,VAL,"advg:n=1",0.9,1,done,7.901354,0.542292,0
more/whole/more.52.path.csv more/more.52.path.csv differ: char 76, line 6

# Anything else that is asked for makes them stale.
$ sed -i 's/^measured: .*/measured: 401/' configs/asks.yaml; odonata reproduce --manifest more/asks.yaml --check >out
= 1
$ tail -1 out; odonata reproduce --manifest more/asks.yaml --list | cut -c1-65; odonata reproduce --manifest more/asks.yaml | cut -c1-65
  more  more.csv  another measured
figures
  name  paper  figure    results  points  of  verdict   title
  more  001    Figure 8  stale         0  54  no claim  A figure 
figures
  name  paper  figure    results    points  of  ran  verdict   ti
  more  001    Figure 8  not tried      54  54   54  no claim  A 

# A point of each CSV again. What differs is told, recorded as stale, and run anew when asked for.
$ odonata reproduce --manifest results/papers.yaml --check --seed 3
results           1
same              1
errors differ     0
differs           0
withdrawn         0
not tried         0
$ sed -i 's/^\([0-9],.*,done,\)[0-9.]*/\10.77/; /^# semantics/d' results/small.csv; odonata reproduce --manifest results/papers.yaml --check
results           1
same              0
errors differ     0
differs           1
withdrawn         0
not tried         0
not as recorded
  file       point  again    difference
  small.csv      1  differs  offered was 0.77; is 0.901354
= 1
$ odonata reproduce --manifest results/papers.yaml --check --record | tail -3; cat results/again.csv
not as recorded
  file       point  again    difference
  small.csv      1  differs  offered was 0.77; is 0.901354
file,points,of,semantics,content,point,again,what
small.csv,8,8,0,1299674538,1,differs,offered was 0.77; is 0.901354
$ odonata reproduce --manifest results/papers.yaml --check >out; odonata reproduce --manifest results/papers.yaml small --list | cut -c1-44
figures
  name   paper  figure    results  points  o
  small  001    Figure 8  stale         8   
$ odonata reproduce --manifest results/papers.yaml small | cut -c1-44; cmp whole.csv results/small.csv; ls results
figures
  name   paper  figure    results    points 
  small  001    Figure 8  not tried       8 
again.csv
papers
papers.yaml
small.csv
small.gp
$ rm results/again.csv; sed -i 's/^\([0-9],.*,done,\)[0-9.]*/\10.77/' results/small.csv; odonata reproduce --manifest results/papers.yaml --check --record | grep differs
differs           1
  small.csv      1  differs  offered was 0.77; is 0.901354
$ cp whole.csv results/small.csv; odonata reproduce --manifest results/papers.yaml --check --record | grep -E 'same|differs'; rm results/again.csv
same              1
differs           0

# One routing alone may have changed, and not that of the dearest point.
$ sed -i 's/^\([46],.*,done,\)[0-9.]*/\10.77/' results/small.csv; odonata reproduce --manifest results/papers.yaml --check | grep same; odonata reproduce --manifest results/papers.yaml --check --curves | tail -1; cp whole.csv results/small.csv
same              1
  small.csv      6  differs  offered was 0.77; is 0.0977083

# A search is tried where its runs are few and its fabric is small.
$ mkdir searched; sed 's/name: small/name: searched/; s/demo-dragonfly/dragonfly:p=1,a=2,h=1/; s/measure: load/measure: saturation\nsteps: 8/; /^loads/d' configs/small.yaml >configs/searched.yaml; odonata experiment configs/searched.yaml --folder searched >out
$ grep -v 'run:\|words:\|ours:\|claims:\|says:\|other' results/papers.yaml | sed 's/small/searched/' >searched/papers.yaml; odonata reproduce --manifest searched/papers.yaml --check --work 10000 | grep tried; odonata reproduce --manifest searched/papers.yaml --check --work 1000000000 | grep same
not tried         1
same              1
$ sed -i 's/^\([0-9],.*,done,\)[0-9.]*/\10.77/' searched/searched.csv; odonata reproduce --manifest searched/papers.yaml --check --work 1000000000 | tail -1 | sed 's/  *[0-9]  / N /; s/is 0.*/is another/'
  searched.csv N differs  sustained was 0.77; is another

# One file for all.
$ odonata reproduce --manifest results/papers.yaml --html all.html; grep -c 'data:image/svg+xml;base64,' all.html; grep -o '<h2[^/]*<' all.html; grep -c 'A figure | of &lt;two> routings' all.html
1
<h2>What remains unexplained<
<h2>001: A paper<
<h2 id="small">Paper 001, Figure 8<
<h2 id="other">Paper 001, Figure 9<
3

# A mean over all patterns, of ratios too; rows of the files beside the CSV.
$ mkdir rows; sed 's/name: small/name: beside/; s/^curves:/details: [switches, path]\n&/; s/^loads:.*/loads: [0.1, 0.5]/' configs/small.yaml >configs/beside.yaml
$ cat >rows/papers.yaml <<END
> papers:
>   - {number: "001", title: A paper, authors: Somebody}
> figures:
>   - name: beside
>     paper: "001"
>     figure: Figure 9
>     title: Rows
>     config: ../configs/beside.yaml
>     results: beside.csv
>     claims:
>       - {says: mean, where: section 4, figure: accepted, of: {curve: MIN, pattern: all, load: "0.5"}, paper: "0.3"}
>       - {says: mean of ratios, where: section 4, figure: accepted, of: {curve: VAL, pattern: all}, over: {curve: MIN, pattern: all}, paper: "2"}
>       - {says: one switch, where: section 4, figure: injected, detail: switches, of: {curve: MIN, pattern: uniform, rows: "switch=0"}, paper: "50", rule: at-least}
>       - {says: a group, where: section 4, figure: injected, detail: switches, of: {curve: MIN, pattern: uniform, rows: "switch=0..3"}, over: {curve: MIN, pattern: uniform}, paper: "1"}
>       - {says: short ways, where: section 4, figure: packets, detail: path, take: sum, of: {curve: MIN, pattern: uniform, rows: "hops=0..3"}, over: {curve: MIN, pattern: uniform}, paper: "1", tolerance: "0"}
>       - {says: long ways, where: section 4, figure: packets, detail: path, take: sum, of: {curve: MIN, pattern: uniform, rows: "hops=4..255"}, paper: "0", tolerance: "0"}
>       - {says: no such rows, where: section 4, figure: injected, detail: switches, of: {curve: MIN, pattern: uniform, rows: "switch=900"}, paper: "1"}
>       - {says: no such file, where: section 4, figure: phits, detail: channels, of: {curve: MIN, pattern: uniform, rows: "switch=0,port=1"}, paper: "1"}
> END
$ odonata reproduce --manifest rows/papers.yaml beside >out; grep '^| .* | section 4' rows/papers/beside.md
| mean | section 4 | accepted of MIN, mean over all patterns, load 0.5 | 0.3 ± 15 % | 0.3114 | 1 | agrees |
| mean of ratios | section 4 | accepted of VAL, mean over all patterns, as a share of MIN, mean over all patterns | 2 ± 15 % | 2.482 | 1 | differs |
| one switch | section 4 | injected of MIN, uniform, rows switch=0 | at least 50 ± 15 % | 391 | 1 | agrees |
| a group | section 4 | injected of MIN, uniform, rows switch=0..3, as a share of MIN, uniform | 1 ± 15 % | 1.013 | 1 | agrees |
| short ways | section 4 | packets of MIN, uniform, rows hops=0..3, as a share of MIN, uniform | 1 | 1 | 1 | agrees; near its limit, of one seed |
| long ways | section 4 | packets of MIN, uniform, rows hops=4..255 | 0 | 0 | 1 | agrees |
| no such rows | section 4 | injected of MIN, uniform, rows switch=900 | 1 ± 15 % |  |  | cannot be told: no such rows |
| no such file | section 4 | phits of MIN, uniform, rows switch=0,port=1 | 1 ± 15 % |  |  | cannot be told: no such rows |
$ sed 's/pattern: all}, paper/pattern: uniform}, paper/' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: rows/bad.yaml:12: expected pattern all in both of and over, found "uniform"
= 3
$ sed 's/switch=0\.\.3/switch=3..0/' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: rows/bad.yaml:14: expected rows such as switch=0..11, found "switch=3..0"
= 3
$ sed 's/detail: channels, //' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: rows/bad.yaml:18: expected detail beside rows, found "switch=0,port=1"
= 3
$ sed 's/detail: channels/detail: ..\/channels/' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: rows/bad.yaml:18: expected a detail such as switches or path, found "../channels"
= 3
$ sed 's/take: sum/take: most/' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: rows/bad.yaml:15: expected mean or sum, found "most"
= 3
$ sed 's/rows: "switch=0"/rows: "host=0"/' rows/papers.yaml >rows/bad.yaml; odonata reproduce --manifest rows/bad.yaml --list
! odonata: beside: rows/beside.1.switches.csv: expected a column "host", found none
= 3

# What is wrong in a manifest.
$ sed 's/paper: "9"/paper: many/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:17: expected a figure such as 0.36 or 0.43..0.82, found "many"
= 3
$ sed 's/rule: at-most/rule: perhaps/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:16: expected within, at-least or at-most, found "perhaps"
= 3
$ sed 's/curve: MIN, pattern: uniform, load: "0.1"/curve: MAX, pattern: uniform/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: small: expected a curve of small, found "MAX"
= 3
$ sed 's/load: "0.5"/load: "0.5; system"/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:18: expected a load from 0 to 1, or most, found "0.5; system"
= 3
$ mkdir cut; cp results/papers.yaml cut; sed 's/^4,.*/4/' whole.csv >cut/small.csv; odonata reproduce --manifest cut/papers.yaml --check
! odonata: small: cut/small.csv:22: expected a point from 0 to 7, found 4
= 3
$ sed 's/name: other, paper: "001"/name: other, paper: "007"/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:19: expected one of the papers, found "007"
= 3
$ sed 's/name: other/name: ..\/other/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:19: expected lower-case letters, digits and dashes, found "../other"
= 3
$ sed 's/title: Another/titel: Another/' results/papers.yaml >results/bad.yaml; odonata reproduce --manifest results/bad.yaml --list
! odonata: results/bad.yaml:19: expected a key that may stand here, found key "titel"
= 3
$ odonata reproduce --manifest results/papers.yaml third
! odonata: expected a figure that "odonata reproduce --list" names, found "third"
= 3
$ odonata reproduce --manifest none.yaml --list
! odonata: none.yaml: cannot open: No such file or directory
= 3
$ odonata reproduce --manifest results/papers.yaml --seed 3 2>&1 | head -1
odonata reproduce: --seed: expected --check beside it, found none
$ odonata reproduce --manifest results/papers.yaml --check --pages 2>&1 | head -1
odonata reproduce: --check: expected --pages or --check, found both
