# gnuplot ofar-cm-fig03.gp, in this folder, makes ofar-cm-fig03.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 4 % 1
curve(n) = int(n) / 4
stats 'ofar-cm-fig03.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
set terminal svg size 420,800 noenhanced background 'white'
set output 'ofar-cm-fig03.svg'
set multiplot layout 2,1 columnsfirst title 'OFAR under ADVG+2 for bubbles of several sizes'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:0.4]
set samples 2
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-cm-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'bubble 1', \
     'ofar-cm-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'bubble 2', \
     'ofar-cm-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'bubble 3', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'ofar-cm-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'bubble 1', \
     'ofar-cm-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'bubble 2', \
     'ofar-cm-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'bubble 3', \
    0 with dots notitle
unset multiplot
