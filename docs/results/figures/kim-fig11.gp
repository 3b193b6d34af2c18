# gnuplot kim-fig11.gp, in this folder, makes kim-fig11.svg.
set datafile separator comma
set datafile commentschars '#p'
stats 'kim-fig11.csv' using (strcol(3) eq 'advg:n=1' && $10 > 0 ? $10 : NaN) name 'P0' nooutput
set terminal svg size 420,800 noenhanced background 'white'
set output 'kim-fig11.svg'
set multiplot layout 2,1 columnsfirst title 'UGAL-L under worst-case traffic, buffers of 16 and 256 flits'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'kim-fig11.csv' using (strcol(2) eq '16 flits' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title '16 flits', \
     'kim-fig11.csv' using (strcol(2) eq '256 flits' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title '256 flits'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig11.csv' using (strcol(2) eq '16 flits' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title '16 flits', \
     'kim-fig11.csv' using (strcol(2) eq '256 flits' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title '256 flits'
unset multiplot
