# gnuplot kim-fig01.gp draws kim-fig01.svg
set terminal svg size 720,440 dynamic font 'sans,13'
set output 'kim-fig01.svg'
set datafile separator ','
set key top left autotitle columnhead
set grid lc rgb '#dddddd'
set title 'Figure 1: radix of the routers for one global hop'
set logscale xy
set xlabel 'hosts'
set ylabel 'ports of a router'
plot 'kim-fig01.csv' using 2:1 with lines title 'complete graph of routers', \
    '' using 2:3 with lines dashtype 2 title '2 sqrt(N), as in the paper'
