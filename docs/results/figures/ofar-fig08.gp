# gnuplot ofar-fig08.gp, in this folder, makes ofar-fig08.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1260,500 noenhanced background 'white'
set output 'ofar-fig08.svg'
set title 'Cycles to consume a burst'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 4114 3275 3334 4114
"advg:n=2" 9764 6197 6315 7561
"advg:n=1,unit=h" 15579 6221 32911 15517
"mix1" 5482 3890 4227 5107
"mix2" 6627 4442 5933 6375
"mix3" 9099 5575 9216 9039
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB', \
     $means using 3:xtic(1) title 'OFAR', \
     $means using 4:xtic(1) title 'OFAR-L', \
     $means using 5:xtic(1) title 'PB 125'
