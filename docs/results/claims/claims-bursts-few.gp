# gnuplot claims-bursts-few.gp, in this folder, makes claims-bursts-few.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2460,500 noenhanced background 'white'
set output 'claims-bursts-few.svg'
set title 'Cycles to consume bursts with 2/1 VLs, h=4'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 3955.6667 4150 4465.6667 4090 3913.6667 3779.6667 3771.6667 3845.3333 3753
"advg:n=2" 9085.6667 8382.3333 8291.6667 8663 9117.3333 9125 7015.3333 8584.6667 8287
"advg:n=1,unit=h" 10929.667 7799.3333 7809 7838 7781 7935.3333 7406.3333 7538.6667 8868.6667
"mix1" 5261 4652 4717.3333 4670.6667 4463.6667 4626.6667 4547.6667 4875 4836.6667
"mix2" 6234.6667 5409.3333 5114.3333 5414.3333 5203.6667 5466.6667 5111 5740.3333 5591
"mix3" 8599.6667 6505.3333 6021 6944.6667 7192.3333 7311.6667 6550 7416.3333 7334.6667
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB 3/2', \
     $means using 3:xtic(1) title 'OFAR Ring+BCM', \
     $means using 4:xtic(1) title 'OFAR Ring+ECM', \
     $means using 5:xtic(1) title 'OFAR Tree+BCM', \
     $means using 6:xtic(1) title 'OFAR Tree+ECM', \
     $means using 7:xtic(1) title 'Ring+BCM granted', \
     $means using 8:xtic(1) title 'Ring+ECM granted', \
     $means using 9:xtic(1) title 'Tree+BCM granted', \
     $means using 10:xtic(1) title 'Tree+ECM granted'
