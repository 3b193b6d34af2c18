# gnuplot ofar-fig08.gp, in this folder, makes ofar-fig08.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1260,500 noenhanced background 'white'
set output 'ofar-fig08.svg'
set linetype 1 lc rgb '#0072b2' lw 1.8 pt 4 ps 0.7
set linetype 2 lc rgb '#d55e00' lw 1.8 pt 5 ps 0.7
set linetype 3 lc rgb '#009e73' lw 1.8 pt 6 ps 0.7
set linetype 4 lc rgb '#cc79a7' lw 1.8 pt 7 ps 0.7
set linetype 5 lc rgb '#e69f00' lw 1.8 pt 8 ps 0.7
set linetype 6 lc rgb '#000000' lw 1.8 pt 9 ps 0.7
set linetype 7 lc rgb '#56b4e9' lw 1.8 pt 10 ps 0.7
set linetype 8 lc rgb '#8c6d1f' lw 1.8 pt 11 ps 0.7
set linetype cycle 8
set border 3
set tics nomirror out
set grid lt 1 lc rgb '#dddddd' lw 0.8
set title 'Cycles to consume a burst'
set style data histograms
set style fill solid noborder
set ylabel 'cycles'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
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
