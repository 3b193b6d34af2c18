# gnuplot claims-output-queues-lrs.gp, in this folder, makes claims-output-queues-lrs.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 2 % 1
curve(n) = int(n) / 2
stats 'claims-output-queues-lrs.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
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
set terminal svg size 642,798 noenhanced background 'white'
set output 'claims-output-queues-lrs.svg'
set multiplot layout 2,1 columnsfirst margins 0.1558,0.6698,0.0940,0.9148 spacing 0.1558,0.0940 title 'Accepted load by size of the output queues, whoever waited longest first'
set key at screen 0.6854,0.9148 left top Left reverse
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:1]
set samples 2
set xtics 0.2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'claims-output-queues-lrs.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'RVAL 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'Recomp 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'RVAL 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'Recomp 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 title 'RVAL 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 title 'Recomp 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 7 title 'RVAL 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 8 title 'Recomp 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 8 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 9 title 'RVAL 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 9 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 10 title 'Recomp 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 10 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 11 title 'RVAL 100 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 11 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 12 title 'Recomp 100 lrs', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-output-queues-lrs.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'RVAL 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'Recomp 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'RVAL 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'Recomp 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 title 'RVAL 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 title 'Recomp 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 7 title 'RVAL 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 8 title 'Recomp 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 8 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 9 title 'RVAL 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 9 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 10 title 'Recomp 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 10 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 11 title 'RVAL 100 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 11 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 12 title 'Recomp 100 lrs', \
    0 with dots notitle
unset multiplot
