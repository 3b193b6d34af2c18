# gnuplot claims-queues-random.gp, in this folder, makes claims-queues-random.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 3 % 4
curve(n) = int(n) / 12
stats 'claims-queues-random.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'claims-queues-random.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
stats 'claims-queues-random.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
stats 'claims-queues-random.csv' using (pattern($1) == 3 && $10 > 0 ? $10 : NaN) name 'P3' nooutput
set terminal svg size 1680,800 noenhanced background 'white'
set output 'claims-queues-random.svg'
set multiplot layout 2,4 columnsfirst title 'Several injection buffers, RANDOM policy, h=4'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title 'hotregion'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:8*P3_min]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-queues-random.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'RVAL 1', \
     'claims-queues-random.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL 2', \
     'claims-queues-random.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL 4', \
     'claims-queues-random.csv' using (curve($1) == 3 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'RVAL 8', \
     'claims-queues-random.csv' using (curve($1) == 4 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'Recomp 1', \
     'claims-queues-random.csv' using (curve($1) == 5 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'Recomp 2', \
     'claims-queues-random.csv' using (curve($1) == 6 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'Recomp 4', \
     'claims-queues-random.csv' using (curve($1) == 7 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'Recomp 8'
unset multiplot
