# gnuplot kim-fig09.gp, in this folder, makes kim-fig09.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 380,500 noenhanced background 'white'
set output 'kim-fig09.svg'
set title 'Load of the global channels of a group under worst-case traffic at 0.2'
set style data histograms
set style fill solid 0.6
set ylabel 'accepted'
set yrange [0:*]
set grid y
set key outside
$means << E
"advg:n=1" 0.199771 0.199788
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'UGAL-L', \
     $means using 3:xtic(1) title 'UGAL-G'
