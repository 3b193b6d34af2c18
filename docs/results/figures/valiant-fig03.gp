# gnuplot valiant-fig03.gp, in this folder, makes valiant-fig03.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 4 % 4
curve(n) = int(n) / 16
stats 'valiant-fig03.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'valiant-fig03.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
stats 'valiant-fig03.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
stats 'valiant-fig03.csv' using (pattern($1) == 3 && $10 > 0 ? $10 : NaN) name 'P3' nooutput
set terminal svg size 1680,800 noenhanced background 'white'
set output 'valiant-fig03.svg'
set multiplot layout 2,4 columnsfirst title 'Valiant with recomputation'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title 'hotregion'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:8*P3_min]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'valiant-fig03.csv' using (curve($1) == 0 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'valiant-fig03.csv' using (curve($1) == 1 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'RVAL', \
     'valiant-fig03.csv' using (curve($1) == 2 && pattern($1) == 3 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL-Recomp'
unset multiplot
