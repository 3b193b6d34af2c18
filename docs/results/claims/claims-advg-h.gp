# gnuplot claims-advg-h.gp, in this folder, makes claims-advg-h.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 620,500 noenhanced background 'white'
set output 'claims-advg-h.svg'
set title 'Accepted load under ADVG+h'
set style data histograms
set style fill solid 0.6
set ylabel 'accepted'
set yrange [0:*]
set grid y
set key outside
$means << E
"advg:n=6" 0.143358 0.153087 0.340871 0.37954 0.0779817 0.166772 0.153099 0.152374
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'VAL', \
     $means using 3:xtic(1) title 'PB', \
     $means using 4:xtic(1) title 'VAL-any', \
     $means using 5:xtic(1) title 'OFAR', \
     $means using 6:xtic(1) title 'OFAR-L', \
     $means using 7:xtic(1) title 'OFAR-L+BCM', \
     $means using 8:xtic(1) title 'OFAR-L ring B', \
     $means using 9:xtic(1) title 'PB 125'
