# gnuplot trees-dragonfly-plus.gp, in this folder, makes trees-dragonfly-plus.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 20 % 4
curve(n) = int(n) / 80
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
if (!exists('P1_min')) P1_min = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
if (!exists('P2_min')) P2_min = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 3 && $10 > 0 ? $10 : NaN) name 'P3' nooutput
if (!exists('P3_min')) P3_min = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 0 ? $8 : NaN) name 'A0' nooutput
if (!exists('A0_max') || !(A0_max > 0)) A0_max = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 1 ? $8 : NaN) name 'A1' nooutput
if (!exists('A1_max') || !(A1_max > 0)) A1_max = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 2 ? $8 : NaN) name 'A2' nooutput
if (!exists('A2_max') || !(A2_max > 0)) A2_max = 1
stats 'trees-dragonfly-plus.csv' using (pattern($1) == 3 ? $8 : NaN) name 'A3' nooutput
if (!exists('A3_max') || !(A3_max > 0)) A3_max = 1
set linetype 1 lc rgb '#0072b2' lw 1.8 pt 4 ps 0.7
set linetype 2 lc rgb '#d55e00' lw 1.8 pt 5 ps 0.7
set linetype 3 lc rgb '#009e73' lw 1.8 pt 6 ps 0.7
set linetype 4 lc rgb '#cc79a7' lw 1.8 pt 7 ps 0.7
set linetype 5 lc rgb '#e69f00' lw 1.8 pt 8 ps 0.7
set linetype 6 lc rgb '#000000' lw 1.8 pt 9 ps 0.7
set linetype 7 lc rgb '#56b4e9' lw 1.8 pt 10 ps 0.7
set linetype 8 lc rgb '#8c6d1f' lw 1.8 pt 11 ps 0.7
set linetype cycle 8
set border 3
set tics nomirror out
set grid lt 1 lc rgb '#dddddd' lw 0.8
set terminal svg size 1932,798 noenhanced background 'white'
set output 'trees-dragonfly-plus.svg'
set multiplot layout 2,4 columnsfirst margins 0.0518,0.8903,0.0940,0.9148 spacing 0.0518,0.0940 title 'Static tables, minimal ways and detours on a Dragonfly+ of 144 hosts'
set key at screen 0.8954,0.9148 left top Left reverse
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:1]
set samples 2
set xtics 0.2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:1.05*A0_max]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:1.05*A1_max]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
set title 'complement'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:1.05*A2_max]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
set title 'advl'
set ylabel 'latency, cycles'
set yrange [0:8*P3_min]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:1.05*A3_max]
plot 'trees-dragonfly-plus.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'dragonfly-plus', \
     'trees-dragonfly-plus.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'minimal', \
     'trees-dragonfly-plus.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'Valiant', \
     'trees-dragonfly-plus.csv' using (curve($1) == 3 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'by leaf', \
     'trees-dragonfly-plus.csv' using (curve($1) == 4 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 5 title 'UGAL', \
     'trees-dragonfly-plus.csv' using (curve($1) == 5 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 6 title 'PAR', \
    0 with dots notitle
unset multiplot
