# gnuplot peer-booksim-flatfly.gp, in this folder, makes peer-booksim-flatfly.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2100,800 noenhanced background 'white'
set output 'peer-booksim-flatfly.svg'
set multiplot layout 2,5 columnsfirst title 'BookSim2, FlatFly of 64 hosts'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title 'complement'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'complement' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'complement' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title 'bits:from=1x0x4x5x2x3'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=1x0x4x5x2x3' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title 'bits:from=5x3x0x2x1x4'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=5x3x0x2x1x4' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title 'bits:from=5x3x4x1x2x0'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'ran_min-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ran_min-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'ran_min-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'valiant-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'valiant-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'valiant-8-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-1-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'ugal-1-1', \
     'peer-booksim-flatfly.csv' using (strcol(2) eq 'ugal-8-1' && strcol(3) eq 'bits:from=5x3x4x1x2x0' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'ugal-8-1'
unset multiplot
