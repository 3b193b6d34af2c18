# gnuplot claims-bursts-cm.gp, in this folder, makes claims-bursts-cm.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1020,500 noenhanced background 'white'
set output 'claims-bursts-cm.svg'
set title 'Cycles to consume bursts with 3/2 VLs and congestion management'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 4114 4114 3282 3291 3260 3302
"advg:n=2" 9764 7561 6287 6245 6287 6205
"advg:n=1,unit=h" 15579 15517 6287 6221 6287 6237
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'PB 125', \
     $means using 4:xtic(1) title 'OFAR Ring+BCM', \
     $means using 5:xtic(1) title 'OFAR Ring+ECM', \
     $means using 6:xtic(1) title 'OFAR Tree+BCM', \
     $means using 7:xtic(1) title 'OFAR Tree+ECM'
