# gnuplot claims-advg-h.gp, in this folder, makes claims-advg-h.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-advg-h.svg'
set multiplot layout 2,1 columnsfirst title 'Accepted load under ADVG+h'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=6'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-advg-h.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'VAL', \
     'claims-advg-h.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'PB', \
     'claims-advg-h.csv' using (strcol(2) eq 'VAL-any' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR-L', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L+BCM' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L+BCM', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L ring B' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L ring B'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-advg-h.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'VAL', \
     'claims-advg-h.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'PB', \
     'claims-advg-h.csv' using (strcol(2) eq 'VAL-any' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL-any', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR-L', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L+BCM' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR-L+BCM', \
     'claims-advg-h.csv' using (strcol(2) eq 'OFAR-L ring B' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L ring B'
unset multiplot
