# gnuplot quick.gp, in this folder, makes quick.svg.
set datafile separator comma
set datafile commentschars '#p'
stats 'quick.csv' using (strcol(3) eq 'uniform' && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'quick.csv' using (strcol(3) eq 'advg:n=1' && $10 > 0 ? $10 : NaN) name 'P1' nooutput
set terminal svg size 840,800 noenhanced background 'white'
set output 'quick.svg'
set multiplot layout 2,2 columnsfirst title 'Minimal, Valiant and OFAR on a dragonfly of 72 hosts'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'quick.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'quick.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'quick.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'quick.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'quick.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'quick.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'quick.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'quick.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'quick.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'quick.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'quick.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'quick.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR'
unset multiplot
