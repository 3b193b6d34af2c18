# gnuplot ofar-cm-fig09-switches.gp, in this folder, makes ofar-cm-fig09-switches.svg: the paper's figure, of
# the routers of group 0.
set datafile separator comma
set terminal svg size 900,380 noenhanced background 'white'
set output 'ofar-cm-fig09-switches.svg'
set multiplot layout 1,2
set border 3
set tics nomirror out
set grid y lt 1 lc rgb '#dddddd' lw 0.8
set style fill solid noborder
set boxwidth 0.2
set xrange [-1:12]
set xtics 1
set yrange [0:*]
set xlabel 'router of group 0'
set ylabel 'packets injected in 6,000 cycles'
set key outside below center horizontal
names = "'Ring, as in the text' 'Tree, as in the text' 'Ring, granted' 'Tree, granted'"
set linetype 1 lc rgb '#0072b2'
set linetype 2 lc rgb '#d55e00'
set linetype 3 lc rgb '#009e73'
set linetype 4 lc rgb '#cc79a7'
do for [l=0:1] {
    set title (l == 1 ? 'ADVG+h, load 0.25' : 'ADVG+h, load 0.2')
    plot for [c=0:3] sprintf('ofar-cm-fig09.%d.switches.csv', 5 * (2 * c + l)) every ::1 \
        using ($1 < 12 ? $1 + 0.2 * c - 0.3 : NaN):3 with boxes lt c + 1 title word(names, c + 1)
}
unset multiplot
