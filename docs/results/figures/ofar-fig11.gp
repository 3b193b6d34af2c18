# gnuplot ofar-fig11.gp, in this folder, makes ofar-fig11.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1740,500 noenhanced background 'white'
set output 'ofar-fig11.svg'
set title 'Cycles to consume bursts with 2/1 VLs'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 4114 4114 4002 4047 4152 3962
"advg:n=2" 9764 7561 9426 7796 9912 8766
"advg:n=1,unit=h" 15579 15517 7374 6857 7557 10229
"mix1" 5482 5107 4789 4648 5149 5261
"mix2" 6627 6375 5440 5304 6049 6006
"mix3" 9099 9039 6957 6556 7830 8696
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB 3/2', \
     $means using 3:xtic(1) title 'PB 3/2 at 125', \
     $means using 4:xtic(1) title 'OFAR Ring+BCM', \
     $means using 5:xtic(1) title 'OFAR Ring+ECM', \
     $means using 6:xtic(1) title 'OFAR Tree+BCM', \
     $means using 7:xtic(1) title 'OFAR Tree+ECM'
