# gnuplot claims-alltoall.gp, in this folder, makes claims-alltoall.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 660,500 noenhanced background 'white'
set output 'claims-alltoall.svg'
set title 'Cycles of an all-to-all with 2/1 VLs, h=4'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
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
