# gnuplot claims-advg-h-own.gp, in this folder, makes claims-advg-h-own.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-advg-h-own.svg'
set multiplot layout 2,1 columnsfirst title 'Accepted load under ADVG+h, escape ring on links of its own'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=6'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-advg-h-own.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'OFAR', \
     'claims-advg-h-own.csv' using (strcol(2) eq 'OFAR-L' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR-L'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-advg-h-own.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'OFAR', \
     'claims-advg-h-own.csv' using (strcol(2) eq 'OFAR-L' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR-L'
unset multiplot
