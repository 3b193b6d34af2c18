# gnuplot workloads.gp, in this folder, makes workloads.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1500,500 noenhanced background 'white'
set output 'workloads.svg'
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
set title 'Collectives and stencils on a dragonfly of 72 hosts, ranks placed at random'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"alltoall:bytes=256" 16856.667 16856.667 23322.333 21201 17970.667
"alltoall:bytes=256,order=own" 8731 8731 10415 8477 6826.6667
"ring:bytes=65536" 125983.67 125983.67 96689 91322 77954.667
"doubling:bytes=4096" 19689 19689 17591.667 17712.333 16484.333
"halo:size=8x9,bytes=4096" 114329 114329 114637 107897.33 101190.33
"halo:size=3x4x6,bytes=4096" 161469.33 161469.33 181141 158685.33 158470
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'tables', \
     $means using 3:xtic(1) title 'MIN', \
     $means using 4:xtic(1) title 'VAL', \
     $means using 5:xtic(1) title 'PB', \
     $means using 6:xtic(1) title 'OFAR'
