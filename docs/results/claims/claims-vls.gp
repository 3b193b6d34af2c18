# gnuplot claims-vls.gp, in this folder, makes claims-vls.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1420,500 noenhanced background 'white'
set output 'claims-vls.svg'
set title 'OFAR Ring+BCM by number of VLs'
set style data histograms
set style fill solid 0.6
set ylabel 'accepted'
set yrange [0:*]
set grid y
set key outside
$means << E
"uniform" 0.558323 0.0083067 0.540052 0.690371 0.715266 0.736498 0.716964 0.522932 0.602416 0.68822 0.714547 0.736256 0.717281 0.555784
"advg:n=2" 0.270596 0.318248 0.263659 0.424213 0.395234 0.47211 0.463507 0.304527 0.291842 0.422789 0.395234 0.47211 0.462388 0.33053
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'PB 3/2', \
     $means using 3:xtic(1) title 'OFAR 1/1(+1)', \
     $means using 4:xtic(1) title 'OFAR 2/1(+1)', \
     $means using 5:xtic(1) title 'OFAR 2/2(+1)', \
     $means using 6:xtic(1) title 'OFAR 3/2(+1)', \
     $means using 7:xtic(1) title 'OFAR 3/3(+1)', \
     $means using 8:xtic(1) title 'OFAR 4/4(+1)', \
     $means using 9:xtic(1) title 'granted 1/1(+1)', \
     $means using 10:xtic(1) title 'granted 2/1(+1)', \
     $means using 11:xtic(1) title 'granted 2/2(+1)', \
     $means using 12:xtic(1) title 'granted 3/2(+1)', \
     $means using 13:xtic(1) title 'granted 3/3(+1)', \
     $means using 14:xtic(1) title 'granted 4/4(+1)', \
     $means using 15:xtic(1) title 'PB 125'
