# gnuplot kim-fig19.gp draws kim-fig19.svg
set terminal svg size 720,440 dynamic font 'sans,13'
set output 'kim-fig19.svg'
set datafile separator ','
set key top left autotitle columnhead
set grid lc rgb '#dddddd'
set title 'Figure 19: cost of the network for each host'
set xlabel 'hosts'
set ylabel 'dollars for each host'
set yrange [0:]
set xtics 4000
plot 'kim-fig19.csv' using 1:2 with linespoints title 'dragonfly', \
    '' using 1:3 with linespoints title 'flattened butterfly', \
    '' using 1:4 with linespoints title 'folded Clos', \
    '' using 1:5 with linespoints title '3-D torus'
