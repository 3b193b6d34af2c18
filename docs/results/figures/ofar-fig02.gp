# gnuplot ofar-fig02.gp, in this folder, makes ofar-fig02.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 10 % 6
curve(n) = int(n) / 60
stats 'ofar-fig02.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'ofar-fig02.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
stats 'ofar-fig02.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
stats 'ofar-fig02.csv' using (pattern($1) == 3 && $10 > 0 ? $10 : NaN) name 'P3' nooutput
stats 'ofar-fig02.csv' using (pattern($1) == 4 && $10 > 0 ? $10 : NaN) name 'P4' nooutput
stats 'ofar-fig02.csv' using (pattern($1) == 5 && $10 > 0 ? $10 : NaN) name 'P5' nooutput
set terminal svg size 2520,800 noenhanced background 'white'
set output 'ofar-fig02.svg'
set multiplot layout 2,6 columnsfirst title 'Valiant under adversarial patterns, h=6'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title 'advg:n=5'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title 'advg:n=6'
set ylabel 'latency, cycles'
set yrange [0:8*P3_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title 'advg:n=7'
set ylabel 'latency, cycles'
set yrange [0:8*P4_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 4 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 4 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title 'advg:n=12'
set ylabel 'latency, cycles'
set yrange [0:8*P5_min]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 5 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig02.csv' using (curve($1) == 0 && pattern($1) == 5 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL'
unset multiplot
