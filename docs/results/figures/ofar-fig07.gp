# gnuplot ofar-fig07.gp, in this folder, makes ofar-fig07.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 800,500 noenhanced background 'white'
set output 'ofar-fig07.svg'
set linetype 1 lc rgb '#0072b2' lw 1.8 pt 4 ps 0.7
set linetype 2 lc rgb '#d55e00' lw 1.8 pt 5 ps 0.7
set linetype 3 lc rgb '#009e73' lw 1.8 pt 6 ps 0.7
set linetype 4 lc rgb '#cc79a7' lw 1.8 pt 7 ps 0.7
set linetype 5 lc rgb '#e69f00' lw 1.8 pt 8 ps 0.7
set linetype 6 lc rgb '#000000' lw 1.8 pt 9 ps 0.7
set linetype 7 lc rgb '#56b4e9' lw 1.8 pt 10 ps 0.7
set linetype 8 lc rgb '#8c6d1f' lw 1.8 pt 11 ps 0.7
set linetype cycle 8
set border 3
set tics nomirror out
set grid lt 1 lc rgb '#dddddd' lw 0.8
set title 'Latency after a change from ADVG+2 to ADVG+h at load 0.12'
set key outside right top
set xlabel 'cycle'
set ylabel 'latency of packets generated then, cycles'
set xrange [49500:51500]
plot 'ofar-fig07.0.series.csv' using 1:7 with lines lt 1 title 'PB', \
     'ofar-fig07.5.series.csv' using 1:7 with lines lt 2 title 'OFAR', \
     'ofar-fig07.10.series.csv' using 1:7 with lines lt 3 title 'OFAR-L'
