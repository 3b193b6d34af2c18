# gnuplot claims-congestion.gp, in this folder, makes claims-congestion.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 500,500 noenhanced background 'white'
set output 'claims-congestion.svg'
set title 'Uniform traffic, escape tree, 2/1(+1) VLs'
set style data histograms
set style fill solid 0.6
set ylabel 'accepted'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 0.557564 0.00885845 0.537667 0.572935 0.00857382
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'OFAR Tree', \
     $means using 4:xtic(1) title 'OFAR Tree+BCM', \
     $means using 5:xtic(1) title 'OFAR Tree+ECM', \
     $means using 6:xtic(1) title 'OFAR Tree+BCM wait=no'
