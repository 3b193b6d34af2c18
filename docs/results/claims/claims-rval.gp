# gnuplot claims-rval.gp, in this folder, makes claims-rval.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 2 % 1
curve(n) = int(n) / 2
stats 'claims-rval.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-rval.svg'
set multiplot layout 2,1 columnsfirst title 'Restricted Valiant under local traffic'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advl'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'claims-rval.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'claims-rval.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'claims-rval.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'RVAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-rval.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'claims-rval.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'claims-rval.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'RVAL'
unset multiplot
