# gnuplot bounds-long-flatfly.gp, in this folder, makes bounds-long-flatfly.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 804,500 noenhanced background 'white'
set output 'bounds-long-flatfly.svg'
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
set title 'Static tables just above their bound on a FlatFly, in long runs and finer steps'
set style data histograms
set style fill solid noborder
set ylabel 'share'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"complement" 0.99 0.995
"shuffle" 0.9925 1.0125
"hotregion" 1 1
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'mixed-dor', \
     $means using 3:xtic(1) title 'layered'
