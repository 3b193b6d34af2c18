# gnuplot ofar-fig14.gp, in this folder, makes ofar-fig14.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 5 % 3
curve(n) = int(n) / 15
stats 'ofar-fig14.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
stats 'ofar-fig14.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
if (!exists('P1_min')) P1_min = 1
stats 'ofar-fig14.csv' using (pattern($1) == 2 && $10 > 0 ? $10 : NaN) name 'P2' nooutput
if (!exists('P2_min')) P2_min = 1
set terminal svg size 1260,800 noenhanced background 'white'
set output 'ofar-fig14.svg'
set multiplot layout 2,3 columnsfirst title 'One and two escape rings, BCM, 2/1 VLs'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:0.5]
set samples 2
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
set title 'advg:n=1,unit=h'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
set title 'advg:n=2,unit=h'
set ylabel 'latency, cycles'
set yrange [0:8*P2_min]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-fig14.csv' using (curve($1) == 0 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'Ring A', \
     'ofar-fig14.csv' using (curve($1) == 1 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'Ring B', \
     'ofar-fig14.csv' using (curve($1) == 2 && pattern($1) == 2 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title '2 rings', \
    0 with dots notitle
unset multiplot
