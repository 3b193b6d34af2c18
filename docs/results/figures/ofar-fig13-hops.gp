# gnuplot ofar-fig13-hops.gp, in this folder, makes ofar-fig13-hops.svg, which is the paper's figure.
set datafile separator comma
set linetype 1 lc rgb '#0072b2' lw 1.8 pt 4 ps 0.7
set linetype 2 lc rgb '#d55e00' lw 1.8 pt 5 ps 0.7
set linetype 3 lc rgb '#009e73' lw 1.8 pt 6 ps 0.7
set linetype 4 lc rgb '#cc79a7' lw 1.8 pt 7 ps 0.7
set border 3
set tics nomirror out
set grid lt 1 lc rgb '#dddddd' lw 0.8
set terminal svg size 1100,800 noenhanced background 'white'
set output 'ofar-fig13-hops.svg'
set multiplot layout 2,2 columnsfirst title 'Packets of a burst by hops, 2/1 VLs, 250 packets a host'
set logscale y
set format y '%.0e'
set xrange [0:45]
set yrange [0.7:1e6]
set xlabel 'hops between switches'
set ylabel 'packets'
set key top right
# Points of ofar-fig13.csv: two patterns a curve, Ring, Ring+BCM, Tree, Tree+BCM; granted from 8 on. Five
# seeds a pattern, of which the first is drawn.
names = "Ring Ring+BCM Tree Tree+BCM"
pattern = "uniform ADVG+h"
do for [p=0:1] {
    set title sprintf('%s, trigger as in the text', word(pattern, p + 1))
    plot for [c=0:3] sprintf('ofar-fig13.%d.path.csv', 5 * (2 * c + p)) every ::1 using 1:2 \
        with linespoints lt c + 1 pt c + 4 title word(names, c + 1)
    set title sprintf('%s, trigger=granted', word(pattern, p + 1))
    plot for [c=0:3] sprintf('ofar-fig13.%d.path.csv', 5 * (8 + 2 * c + p)) every ::1 using 1:2 \
        with linespoints lt c + 1 pt c + 4 title word(names, c + 1)
}
unset multiplot
