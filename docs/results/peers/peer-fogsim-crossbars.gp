# gnuplot peer-fogsim-crossbars.gp, in this folder, makes peer-fogsim-crossbars.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1260,800 noenhanced background 'white'
set output 'peer-fogsim-crossbars.svg'
set multiplot layout 2,3 columnsfirst title 'FOGSim, last version, other crossbars, h=2'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'MIN PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'MIN XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'MIN XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'VAL XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'VAL PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'VAL XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'VAL XB3+PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'PB XB3', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'PB PrioLRS', \
     'peer-fogsim-crossbars.csv' using (strcol(2) eq 'PB XB3+PrioLRS' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'PB XB3+PrioLRS'
unset multiplot
