# gnuplot claims-kim.gp, in this folder, makes claims-kim.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 6 % 1
curve(n) = int(n) / 6
stats 'claims-kim.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-kim.svg'
set multiplot layout 2,1 columnsfirst title 'Held-back credits beside UGAL-L, and more buffers'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:0.5]
set samples 2
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'claims-kim.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L 16', \
     'claims-kim.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_CR 16', \
     'claims-kim.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L 256', \
     'claims-kim.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'UGAL-L_CR 256', \
     'claims-kim.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'VAL 16', \
     'claims-kim.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'VAL 256', \
    0 with dots notitle
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-kim.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L 16', \
     'claims-kim.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_CR 16', \
     'claims-kim.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L 256', \
     'claims-kim.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'UGAL-L_CR 256', \
     'claims-kim.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'VAL 16', \
     'claims-kim.csv' using (curve($1) == 5 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'VAL 256', \
    0 with dots notitle
unset multiplot
