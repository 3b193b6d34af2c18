# gnuplot peer-fogsim-ugal.gp, in this folder, makes peer-fogsim-ugal.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2100,800 noenhanced
set output 'peer-fogsim-ugal.svg'
set multiplot layout 2,5 columnsfirst title 'FOGSim, last version, UGAL, h=2'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title 'advl'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title 'hotregion'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-ugal.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL'
unset multiplot
