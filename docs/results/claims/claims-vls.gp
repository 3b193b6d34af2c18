# gnuplot claims-vls.gp, in this folder, makes claims-vls.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 840,800 noenhanced background 'white'
set output 'claims-vls.svg'
set multiplot layout 2,2 columnsfirst title 'OFAR Ring+BCM by number of VLs'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-vls.csv' using (strcol(2) eq 'PB 3/2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 1/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/3(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 4/4(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 1/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'granted 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'granted 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'granted 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'granted 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/3(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 12 pt 15 title 'granted 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 4/4(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 13 pt 16 title 'granted 4/4(+1)'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-vls.csv' using (strcol(2) eq 'PB 3/2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 1/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/3(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 4/4(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 1/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'granted 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/1(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'granted 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'granted 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/2(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'granted 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/3(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 12 pt 15 title 'granted 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 4/4(+1)' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 13 pt 16 title 'granted 4/4(+1)'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-vls.csv' using (strcol(2) eq 'PB 3/2' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 1/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/3(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 4/4(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 1/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'granted 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'granted 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'granted 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'granted 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/3(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 12 pt 15 title 'granted 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 4/4(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 13 pt 16 title 'granted 4/4(+1)'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-vls.csv' using (strcol(2) eq 'PB 3/2' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 1/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 2/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 3/3(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'OFAR 4/4(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 1/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'granted 1/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/1(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'granted 2/1(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 2/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'granted 2/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/2(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'granted 3/2(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 3/3(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 12 pt 15 title 'granted 3/3(+1)', \
     'claims-vls.csv' using (strcol(2) eq 'granted 4/4(+1)' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 13 pt 16 title 'granted 4/4(+1)'
unset multiplot
