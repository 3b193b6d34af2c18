# gnuplot peer-booksim-dragonfly-k4.gp, in this folder, makes peer-booksim-dragonfly-k4.svg.
set datafile separator comma
set datafile commentschars '#p'
stats 'peer-booksim-dragonfly-k4.csv' using (strcol(3) eq 'uniform' && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'peer-booksim-dragonfly-k4.csv' using (strcol(3) eq 'advg:n=1' && $10 > 0 ? $10 : NaN) name 'P1' nooutput
set terminal svg size 840,800 noenhanced background 'white'
set output 'peer-booksim-dragonfly-k4.svg'
set multiplot layout 2,2 columnsfirst title 'BookSim2, dragonfly k=4'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'min-8-2', \
     'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ugal-8-2'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'min-8-2', \
     'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ugal-8-2'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'min-8-2', \
     'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ugal-8-2'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'min-8-2', \
     'peer-booksim-dragonfly-k4.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ugal-8-2'
unset multiplot
