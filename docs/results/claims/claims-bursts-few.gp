# gnuplot claims-bursts-few.gp, in this folder, makes claims-bursts-few.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2460,500 noenhanced background 'white'
set output 'claims-bursts-few.svg'
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
set title 'Cycles to consume bursts with 2/1 VLs, h=4'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 3955.6667 4117.6667 4465.6667 4083 3913.6667 3810.6667 3771.6667 3769.3333 3753
"advg:n=2" 9085.6667 8413.3333 8291.6667 8578.6667 9117.3333 8206 7015.3333 8027 8287
"advg:n=1,unit=h" 10929.667 7824.3333 7809 7819.6667 7781 7810.6667 7406.3333 7300 8868.6667
"mix1" 5261 4615 4717.3333 4599 4463.6667 4585.6667 4547.6667 4780.3333 4836.6667
"mix2" 6234.6667 5276.3333 5114.3333 5354.6667 5203.6667 5300 5111 5492 5591
"mix3" 8599.6667 6191.3333 6021 6809.6667 7192.3333 6783.6667 6550 7187.6667 7334.6667
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
