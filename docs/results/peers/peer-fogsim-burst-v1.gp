# gnuplot peer-fogsim-burst-v1.gp, in this folder, makes peer-fogsim-burst-v1.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1020,500 noenhanced background 'white'
set output 'peer-fogsim-burst-v1.svg'
set title 'Bursts of 500 packets a host, h=2, first version'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 6659.6667 6525 5330 5390 5379.6667 5450.6667
"advg:n=1" 17549 11449.667 9864.3333 9922.3333 9987 10363
"advg:n=2" 17749.667 12819.667 10971.667 11070.333 10997 10989
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'PB125', \
     $means using 4:xtic(1) title 'OFAR_RING', \
     $means using 5:xtic(1) title 'OFAR-L_RING', \
     $means using 6:xtic(1) title 'OFAR_RING_BCM', \
     $means using 7:xtic(1) title 'OFAR_TREE_BCM'
