# gnuplot claims-hops.gp, in this folder, makes claims-hops.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 620,500 noenhanced background 'white'
set output 'claims-hops.svg'
set title 'Hops of packets of a burst under ADVG+h, 2/1(+1) VLs'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"advg:n=6" 7394.4 6882.6 7674.2 8133.4 9151.8 8681.8 9095.8 8713.4
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'OFAR Ring+BCM', \
     $means using 3:xtic(1) title 'OFAR Ring', \
     $means using 4:xtic(1) title 'OFAR Tree+BCM', \
     $means using 5:xtic(1) title 'OFAR Tree', \
     $means using 6:xtic(1) title 'text Ring+BCM', \
     $means using 7:xtic(1) title 'text Ring', \
     $means using 8:xtic(1) title 'text Tree+BCM', \
     $means using 9:xtic(1) title 'text Tree'
