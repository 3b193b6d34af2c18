# gnuplot kim-fig14.gp, in this folder, makes kim-fig14.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 10 % 1
curve(n) = int(n) / 10
stats 'kim-fig14.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
set terminal svg size 420,800 noenhanced background 'white'
set output 'kim-fig14.svg'
set multiplot layout 2,1 columnsfirst title 'UGAL-L under worst-case traffic by depth of buffers'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'kim-fig14.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title '4 flits', \
     'kim-fig14.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title '8 flits', \
     'kim-fig14.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title '16 flits', \
     'kim-fig14.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title '32 flits', \
     'kim-fig14.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title '64 flits'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig14.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title '4 flits', \
     'kim-fig14.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title '8 flits', \
     'kim-fig14.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title '16 flits', \
     'kim-fig14.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title '32 flits', \
     'kim-fig14.csv' using (curve($1) == 4 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title '64 flits'
unset multiplot
