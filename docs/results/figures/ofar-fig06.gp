# gnuplot ofar-fig06.gp, in this folder, makes ofar-fig06.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 7 % 3
curve(n) = int(n) / 21
stats 'ofar-fig06.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'ofar-fig06.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
stats 'ofar-fig06.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
set terminal svg size 1260,800 noenhanced background 'white'
set output 'ofar-fig06.svg'
set multiplot layout 2,3 columnsfirst title 'Steady state without congestion management'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
set title 'advg:n=1,unit=h'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig06.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'ofar-fig06.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'ofar-fig06.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'ofar-fig06.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'ofar-fig06.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR', \
     'ofar-fig06.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L'
unset multiplot
