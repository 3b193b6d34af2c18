# gnuplot claims-hops-long.gp, in this folder, makes claims-hops-long.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 500,500 noenhanced background 'white'
set output 'claims-hops-long.svg'
set title 'Hops of packets of a burst under ADVG+h, 2/1(+1) VLs'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"advg:n=6" 57084 53370 58351 59617 57857
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'OFAR Ring+BCM', \
     $means using 3:xtic(1) title 'OFAR Ring', \
     $means using 4:xtic(1) title 'OFAR Tree+BCM', \
     $means using 5:xtic(1) title 'OFAR Tree', \
     $means using 6:xtic(1) title 'assigned Ring+BCM'
