# gnuplot kim-fig10.gp, in this folder, makes kim-fig10.svg.
set datafile separator comma
set datafile commentschars '#p'
pattern(n) = int(n) / 20 % 2
curve(n) = int(n) / 40
stats 'kim-fig10.csv' using (pattern($1) == 0 && $10 > 0 ? $10 : NaN) name 'P0' nooutput
stats 'kim-fig10.csv' using (pattern($1) == 1 && $10 > 0 ? $10 : NaN) name 'P1' nooutput
set terminal svg size 840,800 noenhanced background 'white'
set output 'kim-fig10.svg'
set multiplot layout 2,2 columnsfirst title 'Variants of UGAL-L'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:8*P0_min]
plot 'kim-fig10.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'kim-fig10.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'kim-fig10.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'kim-fig10.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'UGAL-G'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig10.csv' using (curve($1) == 0 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'kim-fig10.csv' using (curve($1) == 1 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'kim-fig10.csv' using (curve($1) == 2 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'kim-fig10.csv' using (curve($1) == 3 && pattern($1) == 0 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'UGAL-G'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:8*P1_min]
plot 'kim-fig10.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'kim-fig10.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'kim-fig10.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'kim-fig10.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'UGAL-G'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'kim-fig10.csv' using (curve($1) == 0 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'kim-fig10.csv' using (curve($1) == 1 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'kim-fig10.csv' using (curve($1) == 2 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'kim-fig10.csv' using (curve($1) == 3 && pattern($1) == 1 ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'UGAL-G'
unset multiplot
