# gnuplot peer-fogsim-v5.gp, in this folder, makes peer-fogsim-v5.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2520,800 noenhanced background 'white'
set output 'peer-fogsim-v5.svg'
set multiplot layout 2,6 columnsfirst title 'FOGSim, last version, h=2'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title 'advl'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title 'hotregion'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'PB125' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125', \
     'peer-fogsim-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'UGAL'
unset multiplot
