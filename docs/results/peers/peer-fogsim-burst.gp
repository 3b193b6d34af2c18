# gnuplot peer-fogsim-burst.gp, in this folder, makes peer-fogsim-burst.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 780,500 noenhanced background 'white'
set output 'peer-fogsim-burst.svg'
set title 'Bursts of 500 packets a host, h=2'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 6363.6667 9911.6667 7229 7253.6667
"advg:n=1" 34099 11634.333 15033 10179
"advg:n=2" 34104.333 15701.667 15121.667 12186
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'MIN', \
     $means using 3:xtic(1) title 'VAL', \
     $means using 4:xtic(1) title 'PB', \
     $means using 5:xtic(1) title 'PB125'
