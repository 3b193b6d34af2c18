# gnuplot peer-fogsim-burst-v1.gp, in this folder, makes peer-fogsim-burst-v1.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1020,500 noenhanced background 'white'
set output 'peer-fogsim-burst-v1.svg'
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
set title 'Bursts of 500 packets a host, h=2, first version'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 6659.6667 6525 5323 5370.3333 5349.3333 5352.3333
"advg:n=1" 17549 11449.667 10003 10016.333 10050.333 10050.333
"advg:n=2" 17749.667 12819.667 10936.333 11074.333 10973 10973
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'PB125', \
     $means using 4:xtic(1) title 'OFAR_RING', \
     $means using 5:xtic(1) title 'OFAR-L_RING', \
     $means using 6:xtic(1) title 'OFAR_RING_BCM', \
     $means using 7:xtic(1) title 'OFAR_TREE_BCM'
