# gnuplot claims-flatfly.gp, in this folder, makes claims-flatfly.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1700,500 noenhanced background 'white'
set output 'claims-flatfly.svg'
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
set title 'Accepted at full offer, 4x4x4x4 FlatFly, 4 hosts a switch'
set style data histograms
set style fill solid noborder
set ylabel 'accepted'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 0.823883 0.931918 0.532129 0.645359 0.401766 0.802 0.782656
"complement:of=switches,first=fast" 0.25 0.238383 0.373246 0.487102 0.36052 0.358516 0.492551
"reverse:of=switches,first=fast" 0.0937383 0.416113 0.518691 0.093707 0.359113 0.16266 0.619812
"shuffle:of=switches,first=fast" 0.248047 0.32268 0.472187 0.297891 0.358414 0.352715 0.543137
"transpose:of=switches,first=fast" 0.0736641 0.415738 0.509203 0.0737109 0.274012 0.143 0.618793
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'dor', \
     $means using 3:xtic(1) title 'distance-based', \
     $means using 4:xtic(1) title 'distance-based+4', \
     $means using 5:xtic(1) title 'ador', \
     $means using 6:xtic(1) title 'flatfly-val', \
     $means using 7:xtic(1) title 'flatfly-ugal', \
     $means using 8:xtic(1) title 'dal'
