# gnuplot claims-triggers.gp, in this folder, makes claims-triggers.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 840,800 noenhanced background 'white'
set output 'claims-triggers.svg'
set multiplot layout 2,2 columnsfirst title 'Trigger of misrouting, and waiting for links that only send'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-triggers.csv' using (strcol(2) eq 'assigned' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'assigned', \
     'claims-triggers.csv' using (strcol(2) eq 'granted' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'granted', \
     'claims-triggers.csv' using (strcol(2) eq 'busy' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'busy', \
     'claims-triggers.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'MIN', \
     'claims-triggers.csv' using (strcol(2) eq 'assigned wait=no' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'assigned wait=no'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-triggers.csv' using (strcol(2) eq 'assigned' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'assigned', \
     'claims-triggers.csv' using (strcol(2) eq 'granted' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'granted', \
     'claims-triggers.csv' using (strcol(2) eq 'busy' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'busy', \
     'claims-triggers.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'MIN', \
     'claims-triggers.csv' using (strcol(2) eq 'assigned wait=no' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'assigned wait=no'
set title 'advg:n=6'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-triggers.csv' using (strcol(2) eq 'assigned' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'assigned', \
     'claims-triggers.csv' using (strcol(2) eq 'granted' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'granted', \
     'claims-triggers.csv' using (strcol(2) eq 'busy' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'busy', \
     'claims-triggers.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'MIN', \
     'claims-triggers.csv' using (strcol(2) eq 'assigned wait=no' && strcol(3) eq 'advg:n=6' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'assigned wait=no'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-triggers.csv' using (strcol(2) eq 'assigned' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'assigned', \
     'claims-triggers.csv' using (strcol(2) eq 'granted' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'granted', \
     'claims-triggers.csv' using (strcol(2) eq 'busy' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'busy', \
     'claims-triggers.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'MIN', \
     'claims-triggers.csv' using (strcol(2) eq 'assigned wait=no' && strcol(3) eq 'advg:n=6' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'assigned wait=no'
unset multiplot
