# gnuplot ofar-cm-fig03.gp, in this folder, makes ofar-cm-fig03.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 5 % 1
curve(n) = int(n) / 5
stats 'ofar-cm-fig03.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
stats 'ofar-cm-fig03.csv' using (pattern($1) == 0 ? $8 : NaN) name 'A0' nooutput
if (!exists('A0_max') || !(A0_max > 0)) A0_max = 1
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
set terminal svg size 594,798 noenhanced background 'white'
set output 'ofar-cm-fig03.svg'
set multiplot layout 2,1 columnsfirst margins 0.1684,0.7239,0.0940,0.9148 spacing 0.1684,0.0940 title 'OFAR under ADVG+2 for bubbles of several sizes'
set key at screen 0.7407,0.9148 left top Left reverse
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:0.5]
set samples 2
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'ofar-cm-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'bubble 1', \
     'ofar-cm-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'bubble 2', \
     'ofar-cm-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'bubble 3', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:1.05*A0_max]
plot 'ofar-cm-fig03.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'bubble 1', \
     'ofar-cm-fig03.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'bubble 2', \
     'ofar-cm-fig03.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'bubble 3', \
    0 with dots notitle
unset multiplot
