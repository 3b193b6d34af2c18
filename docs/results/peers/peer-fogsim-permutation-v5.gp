# gnuplot peer-fogsim-permutation-v5.gp, in this folder, makes peer-fogsim-permutation-v5.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'peer-fogsim-permutation-v5.svg'
set multiplot layout 2,1 columnsfirst title 'FOGSim, last version, h=2, random permutations'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'UGAL'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'MIN' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'VAL' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'VAL_ANY' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'PB' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB', \
     'peer-fogsim-permutation-v5.csv' using (strcol(2) eq 'UGAL' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'UGAL'
unset multiplot
