# gnuplot ofar-fig09.gp, in this folder, makes ofar-fig09.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 3 % 3
curve(n) = int(n) / 9
stats 'ofar-fig09.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
stats 'ofar-fig09.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
if (!exists('P1_min')) P1_min = 1
stats 'ofar-fig09.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
if (!exists('P2_min')) P2_min = 1
set terminal svg size 1260,800 noenhanced background 'white'
set output 'ofar-fig09.svg'
set multiplot layout 2,3 columnsfirst title 'OFAR Ring+BCM with 1/1 to 4/4 VLs'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:0.9]
set samples 2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
set title 'advg:n=1,unit=h'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig09.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB 3/2', \
     'ofar-fig09.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR 1/1', \
     'ofar-fig09.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR 2/1', \
     'ofar-fig09.csv' using (curve($1) == 3 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR 2/2', \
     'ofar-fig09.csv' using (curve($1) == 4 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR 3/2', \
     'ofar-fig09.csv' using (curve($1) == 5 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR 3/3', \
     'ofar-fig09.csv' using (curve($1) == 6 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR 4/4', \
    0 with dots notitle
unset multiplot
