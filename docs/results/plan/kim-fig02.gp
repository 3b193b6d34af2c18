# gnuplot kim-fig02.gp draws kim-fig02.svg
set terminal svg size 720,440 dynamic font 'sans,13'
set output 'kim-fig02.svg'
set datafile separator ','
set key top left autotitle columnhead
set grid lc rgb '#dddddd'
set title 'Figure 2: cost of cables by length'
set xlabel 'metres'
set ylabel 'dollars for each Gb/s'
plot 'kim-fig02.csv' using 1:2 with lines title 'electrical', \
    '' using 1:3 with lines title 'optical'
