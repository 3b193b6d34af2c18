# gnuplot claims-bursts.gp, in this folder, makes claims-bursts.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1020,500 noenhanced background 'white'
set output 'claims-bursts.svg'
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
set title 'Cycles to consume a burst of 2,000 packets a host'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 29845 23354 29717
"advg:n=2" 73784.5 47431 52895
"advg:n=6" 114739.5 46719 NaN
"mix1" 37281 27360 NaN
"mix2" 47148 31877 NaN
"mix3" 65962.5 41591 NaN
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'OFAR', \
     $means using 4:xtic(1) title 'PB 125'
