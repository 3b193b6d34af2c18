# gnuplot claims-output-queues-lrs.gp, in this folder, makes claims-output-queues-lrs.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 2 % 1
curve(n) = int(n) / 2
stats 'claims-output-queues-lrs.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-output-queues-lrs.svg'
set multiplot layout 2,1 columnsfirst title 'Accepted load by size of the output queues, whoever waited longest first'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:1]
set samples 2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'claims-output-queues-lrs.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'Recomp 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'Recomp 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'RVAL 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'Recomp 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'RVAL 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'Recomp 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 8 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'RVAL 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 9 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'Recomp 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 10 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'RVAL 100 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 11 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 12 pt 15 title 'Recomp 100 lrs', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-output-queues-lrs.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'Recomp 1 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'Recomp 2 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'RVAL 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'Recomp 3 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'RVAL 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'Recomp 4 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 8 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'RVAL 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 9 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'Recomp 8 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 10 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'RVAL 100 lrs', \
     'claims-output-queues-lrs.csv' using (curve($1) == 11 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 12 pt 15 title 'Recomp 100 lrs', \
    0 with dots notitle
unset multiplot
