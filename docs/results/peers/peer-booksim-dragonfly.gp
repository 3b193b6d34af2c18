# gnuplot peer-booksim-dragonfly.gp, in this folder, makes peer-booksim-dragonfly.svg.
set datafile separator comma
set datafile commentschars '#p'
stats 'peer-booksim-dragonfly.csv' using (strcol(3) eq 'uniform' && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'peer-booksim-dragonfly.csv' using (strcol(3) eq 'advg:n=1' && $10 > 0 ? $10 : NaN) name 'P1' nooutput
set terminal svg size 840,800 noenhanced background 'white'
set output 'peer-booksim-dragonfly.svg'
set multiplot layout 2,2 columnsfirst title 'BookSim2, dragonfly k=2'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'min-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'min-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'min-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'min-8-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'ugal-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'min-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'min-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'min-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'min-8-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'ugal-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'ugal-8-1'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'min-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'min-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'min-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'min-8-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'ugal-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'min-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'min-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-1-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'min-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'min-8-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'min-8-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-2' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-2', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'ugal-1-1', \
     'peer-booksim-dragonfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'ugal-8-1'
unset multiplot
