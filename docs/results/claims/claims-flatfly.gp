# gnuplot claims-flatfly.gp, in this folder, makes claims-flatfly.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1700,500 noenhanced background 'white'
set output 'claims-flatfly.svg'
set title 'Accepted at full offer, 4x4x4x4 FlatFly, 4 hosts a switch'
set style data histograms
set style fill solid 0.6
set ylabel 'accepted'
set yrange [0:*]
set grid y
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
