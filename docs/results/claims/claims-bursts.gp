# gnuplot claims-bursts.gp, in this folder, makes claims-bursts.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 780,500 noenhanced background 'white'
set output 'claims-bursts.svg'
set title 'Cycles to consume a burst of 250 packets a host'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 4114 3275
"advg:n=2" 9764 6197
"advg:n=6" 15579 6221
"mix1" 5482 3890
"mix2" 6627 4442
"mix3" 9099 5575
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'OFAR'
