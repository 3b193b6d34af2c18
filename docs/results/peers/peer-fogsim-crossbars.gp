# gnuplot peer-fogsim-crossbars.gp, in this folder, makes peer-fogsim-crossbars.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 1380,500 noenhanced background 'white'
set output 'peer-fogsim-crossbars.svg'
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
set title 'FOGSim, last version, other crossbars, h=2'
set style data histograms
set style fill solid noborder
set ylabel 'accepted'
set yrange [0:*]
unset grid
set grid y lt 1 lc rgb '#dddddd'
set xtics scale 0
set key outside
$means << E
"uniform" 0.68239267 0.695348 0.72509633 0.47502967 0.486933 0.52202233 0.61397033 0.6262 0.68337067
"advg:n=1" 0.11915567 0.12497033 0.12501467 0.450585 0.418074 0.40346667 0.342037 0.25047433 0.24848167
"advg:n=2" 0.11934067 0.12498533 0.12501467 0.309785 0.29942233 0.32947367 0.325904 0.25220733 0.25309633
E
set datafile separator whitespace
plot $means using 2:xtic(1) title 'MIN XB3', \
     $means using 3:xtic(1) title 'MIN PrioLRS', \
     $means using 4:xtic(1) title 'MIN XB3+PrioLRS', \
     $means using 5:xtic(1) title 'VAL XB3', \
     $means using 6:xtic(1) title 'VAL PrioLRS', \
     $means using 7:xtic(1) title 'VAL XB3+PrioLRS', \
     $means using 8:xtic(1) title 'PB XB3', \
     $means using 9:xtic(1) title 'PB PrioLRS', \
     $means using 10:xtic(1) title 'PB XB3+PrioLRS'
