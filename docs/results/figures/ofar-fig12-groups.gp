# gnuplot ofar-fig12-groups.gp, in this folder, makes ofar-fig12-groups.svg: the paper's figure, of all groups.
set datafile separator comma
set terminal svg size 1260,450 noenhanced background 'white'
set output 'ofar-fig12-groups.svg'
set multiplot layout 1,3 title 'Packets injected in 3,000 cycles at full offer, BCM, 2/1 VLs; the tree has its root in group 0'
set grid
set xrange [-2:74]
set xlabel 'group'
set ylabel 'packets, mean of its switches'
set yrange [0:*]
set key bottom right
# Points of ofar-fig12.csv: three patterns a curve.
names = "'Ring, as in the text' 'Tree, as in the text' 'Ring, granted' 'Tree, granted'"
patterns = "uniform ADVG+2 ADVG+h"
do for [p=0:2] {
    set title word(patterns, p + 1)
    plot for [c=0:3] sprintf('ofar-fig12.%d.switches.csv', 3 * c + p) every ::1 \
        using (int($1 / 12)):($3 / 12.0) smooth frequency with points lt c + 1 pt c + 4 ps 0.5 \
        title word(names, c + 1)
}
unset multiplot
