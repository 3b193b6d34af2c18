# gnuplot claims-alltoall.gp, in this folder, makes claims-alltoall.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 660,500 noenhanced background 'white'
set output 'claims-alltoall.svg'
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
set title 'Cycles of an all-to-all with 2/1 VLs, h=4'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"alltoall:bytes=32,order=own" 15113 15460 17321 15606 15354 14451 14285 14777 14727
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB 3/2', \
     $means using 3:xtic(1) title 'OFAR Ring+BCM', \
     $means using 4:xtic(1) title 'OFAR Ring+ECM', \
     $means using 5:xtic(1) title 'OFAR Tree+BCM', \
     $means using 6:xtic(1) title 'OFAR Tree+ECM', \
     $means using 7:xtic(1) title 'Ring+BCM granted', \
     $means using 8:xtic(1) title 'Ring+ECM granted', \
     $means using 9:xtic(1) title 'Tree+BCM granted', \
     $means using 10:xtic(1) title 'Tree+ECM granted'
