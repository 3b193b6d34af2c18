# gnuplot table-uniform-small.gp, in this folder, makes table-uniform-small.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'table-uniform-small.svg'
set multiplot layout 2,1 columnsfirst title 'Uniform traffic on a 4x4x4x4 FlatFly, 4 hosts a switch'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'table-uniform-small.csv' using (strcol(2) eq 'dor' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'mixed-dor' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'mixed-dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'twisted-dor' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'twisted-dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'ador' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'ador', \
     'table-uniform-small.csv' using (strcol(2) eq 'mixed-ador' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'mixed-ador', \
     'table-uniform-small.csv' using (strcol(2) eq 'distance-based' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'distance-based', \
     'table-uniform-small.csv' using (strcol(2) eq 'distance-based+4' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'distance-based+4', \
     'table-uniform-small.csv' using (strcol(2) eq 'deflection+4' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'deflection+4'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'table-uniform-small.csv' using (strcol(2) eq 'dor' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'mixed-dor' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'mixed-dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'twisted-dor' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'twisted-dor', \
     'table-uniform-small.csv' using (strcol(2) eq 'ador' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'ador', \
     'table-uniform-small.csv' using (strcol(2) eq 'mixed-ador' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'mixed-ador', \
     'table-uniform-small.csv' using (strcol(2) eq 'distance-based' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'distance-based', \
     'table-uniform-small.csv' using (strcol(2) eq 'distance-based+4' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'distance-based+4', \
     'table-uniform-small.csv' using (strcol(2) eq 'deflection+4' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'deflection+4'
unset multiplot
