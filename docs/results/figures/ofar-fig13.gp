# gnuplot ofar-fig13.gp, in this folder, makes ofar-fig13.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 940,500 noenhanced background 'white'
set output 'ofar-fig13.svg'
set title 'Cycles and hops of bursts with 2/1 VLs, with and without BCM'
set style data histograms
set style fill solid 0.6
set ylabel 'cycles'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 4875 4390 NaN 4407 4173 4002 4511 4152
"advg:n=1,unit=h" 8689 9111 8613 9053 6958 7374 7837 7557
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'OFAR Ring', \
     $means using 3:xtic(1) title 'OFAR Ring+BCM', \
     $means using 4:xtic(1) title 'OFAR Tree', \
     $means using 5:xtic(1) title 'OFAR Tree+BCM', \
     $means using 6:xtic(1) title 'Ring granted', \
     $means using 7:xtic(1) title 'Ring+BCM granted', \
     $means using 8:xtic(1) title 'Tree granted', \
     $means using 9:xtic(1) title 'Tree+BCM granted'
