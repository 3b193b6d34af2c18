# gnuplot kim-fig04.gp draws kim-fig04.svg
set terminal svg size 720,440 dynamic font 'sans,13'
set output 'kim-fig04.svg'
set datafile separator ','
set key top left autotitle columnhead
set grid lc rgb '#dddddd'
set title 'Figure 4: hosts of a balanced dragonfly'
set logscale y
set xlabel 'ports of a router'
set ylabel 'hosts'
plot 'kim-fig04.csv' using 1:3 with linespoints title 'a = 2p = 2h'
