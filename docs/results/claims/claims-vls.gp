# gnuplot claims-vls.gp, in this folder, makes claims-vls.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1420,500 noenhanced background 'white'
set output 'claims-vls.svg'
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
set title 'OFAR Ring+BCM by number of VLs'
set style data histograms
set style fill solid noborder
set ylabel 'accepted'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 0.558323 0.00850076 0.541239 0.691874 0.71553 0.737193 0.717267 0.521935 0.600308 0.689154 0.714958 0.737037 0.717425 0.555784
"advg:n=2" 0.270596 0.328106 0.266209 0.429127 0.400574 0.473192 0.462549 0.323339 0.304416 0.428874 0.400473 0.473375 0.46269 0.33053
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB 3/2', \
     $means using 3:xtic(1) title 'OFAR 1/1(+1)', \
     $means using 4:xtic(1) title 'OFAR 2/1(+1)', \
     $means using 5:xtic(1) title 'OFAR 2/2(+1)', \
     $means using 6:xtic(1) title 'OFAR 3/2(+1)', \
     $means using 7:xtic(1) title 'OFAR 3/3(+1)', \
     $means using 8:xtic(1) title 'OFAR 4/4(+1)', \
     $means using 9:xtic(1) title 'granted 1/1(+1)', \
     $means using 10:xtic(1) title 'granted 2/1(+1)', \
     $means using 11:xtic(1) title 'granted 2/2(+1)', \
     $means using 12:xtic(1) title 'granted 3/2(+1)', \
     $means using 13:xtic(1) title 'granted 3/3(+1)', \
     $means using 14:xtic(1) title 'granted 4/4(+1)', \
     $means using 15:xtic(1) title 'PB 125'
