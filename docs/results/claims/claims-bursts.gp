# gnuplot claims-bursts.gp, in this folder, makes claims-bursts.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 780,500 noenhanced background 'white'
set output 'claims-bursts.svg'
set title 'Cycles to consume a burst of 500 packets a host'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 7813 6131
"advg:n=2" 19029 12041
"advg:n=6" 29783 12237
"mix1" 10064 7230
"mix2" 12248 8541
"mix3" 17360 10632
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'OFAR'
