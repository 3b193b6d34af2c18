# gnuplot kim-fig08.gp, in this folder, makes kim-fig08.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 20 % 2
curve(n) = int(n) / 40
stats 'kim-fig08.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
if (!exists('P0_min')) P0_min = 1
stats 'kim-fig08.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
if (!exists('P1_min')) P1_min = 1
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
set terminal svg size 1008,798 noenhanced background 'white'
set output 'kim-fig08.svg'
set multiplot layout 2,2 columnsfirst margins 0.0992,0.8532,0.0940,0.9148 spacing 0.0992,0.0940 title 'Routings on the dragonfly of 1,056 hosts'
set key at screen 0.8631,0.9148 left top Left reverse
set xlabel 'offered load, phits/(host cycle)'
set xrange [0:1]
set samples 2
set xtics 0.2
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'kim-fig08.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'MIN', \
     'kim-fig08.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'VAL', \
     'kim-fig08.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'UGAL-L', \
     'kim-fig08.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'UGAL-G', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig08.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'MIN', \
     'kim-fig08.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'VAL', \
     'kim-fig08.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'UGAL-L', \
     'kim-fig08.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'UGAL-G', \
    0 with dots notitle
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'kim-fig08.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 title 'MIN', \
     'kim-fig08.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 title 'VAL', \
     'kim-fig08.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 title 'UGAL-L', \
     'kim-fig08.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 title 'UGAL-G', \
    0 with dots notitle
unset key
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig08.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 title 'MIN', \
     'kim-fig08.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 title 'VAL', \
     'kim-fig08.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 title 'UGAL-L', \
     'kim-fig08.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 title 'UGAL-G', \
    0 with dots notitle
unset multiplot
