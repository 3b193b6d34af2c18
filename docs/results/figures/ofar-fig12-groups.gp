# gnuplot ofar-fig12-groups.gp, in this folder, makes ofar-fig12-groups.svg: the paper's figure, of all groups.
set datafile separator comma
set linetype 1 lc rgb '#0072b2' lw 1.8 pt 4 ps 0.7
set linetype 2 lc rgb '#d55e00' lw 1.8 pt 5 ps 0.7
set linetype 3 lc rgb '#009e73' lw 1.8 pt 6 ps 0.7
set linetype 4 lc rgb '#cc79a7' lw 1.8 pt 7 ps 0.7
set border 3
set tics nomirror out
set grid lt 1 lc rgb '#dddddd' lw 0.8
set terminal svg size 1260,450 noenhanced background 'white'
set output 'ofar-fig12-groups.svg'
set multiplot layout 1,3 title 'Packets injected in 3,000 cycles at full offer, BCM, 2/1 VLs; the tree has its root in group 0'
set xrange [-2:74]
set xlabel 'group'
set ylabel 'packets, mean of its switches'
set yrange [0:*]
set key bottom right
# Points of ofar-fig12.csv: three patterns a curve, five seeds a pattern, of which the first is drawn.
names = "'Ring, as in the text' 'Tree, as in the text' 'Ring, granted' 'Tree, granted'"
patterns = "uniform ADVG+2 ADVG+h"
do for [p=0:2] {
    set title word(patterns, p + 1)
    plot for [c=0:3] sprintf('ofar-fig12.%d.switches.csv', 5 * (3 * c + p)) every ::1 \
        using (int($1 / 12)):($3 / 12.0) smooth frequency with points lt c + 1 pt c + 4 ps 0.5 \
        title word(names, c + 1)
}
unset multiplot
