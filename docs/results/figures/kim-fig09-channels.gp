# gnuplot kim-fig09-channels.gp, in this folder, makes kim-fig09-channels.svg: the paper's figure, of group 0,
# whose first global channel leads to the group that all its packets go to.
set datafile separator comma
set terminal svg size 900,380 noenhanced background 'white'
set output 'kim-fig09-channels.svg'
set border 3
set tics nomirror out
set grid y lt 1 lc rgb '#dddddd' lw 0.8
set style fill solid noborder
set boxwidth 0.4
set xrange [-1:32]
set yrange [0:1]
set xlabel 'global channel of the group: 0 is minimal, 1 to 3 are on its switch'
set ylabel 'utilization at load 0.2'
set key top right
# Ports 12 to 15 of switches 0 to 7; 1,400 cycles were measured.
channel(s, p) = s < 8 && p > 11 ? 4 * s + p - 12 : NaN
plot 'kim-fig09.0.channels.csv' every ::1 using (channel($1, $2) - 0.2):($3 / 1400.0) with boxes lc rgb '#009e73' title 'UGAL-L', \
     'kim-fig09.5.channels.csv' every ::1 using (channel($1, $2) + 0.2):($3 / 1400.0) with boxes lc rgb '#cc79a7' title 'UGAL-G'
