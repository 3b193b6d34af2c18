# gnuplot claims-congestion.gp, in this folder, makes claims-congestion.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-congestion.svg'
set multiplot layout 2,1 columnsfirst title 'Uniform traffic, escape tree, 2/1(+1) VLs'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-congestion.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR Tree', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+BCM' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR Tree+BCM', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+ECM' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR Tree+ECM', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+BCM wait=no' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR Tree+BCM wait=no'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-congestion.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR Tree', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+BCM' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR Tree+BCM', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+ECM' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR Tree+ECM', \
     'claims-congestion.csv' using (strcol(2) eq 'OFAR Tree+BCM wait=no' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR Tree+BCM wait=no'
unset multiplot
