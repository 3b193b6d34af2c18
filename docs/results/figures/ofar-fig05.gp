# gnuplot ofar-fig05.gp, in this folder, makes ofar-fig05.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 10 % 1
curve(n) = int(n) / 10
stats 'ofar-fig05.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
set terminal svg size 420,800 noenhanced background 'white'
set output 'ofar-fig05.svg'
set multiplot layout 2,1 columnsfirst title 'OFAR with an escape tree and congestion management under uniform traffic'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:1]
set samples 2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-fig05.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'PB', \
     'ofar-fig05.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR Tree 2/1', \
     'ofar-fig05.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR Tree+BCM', \
     'ofar-fig05.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR Tree+ECM', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig05.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'PB', \
     'ofar-fig05.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR Tree 2/1', \
     'ofar-fig05.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR Tree+BCM', \
     'ofar-fig05.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR Tree+ECM', \
    0 with dots notitle
unset multiplot
