# gnuplot peer-fogsim-permutation-v1.gp, in this folder, makes peer-fogsim-permutation-v1.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'peer-fogsim-permutation-v1.svg'
set multiplot layout 2,1 columnsfirst title 'FOGSim, first version, h=2, random permutations'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'OFAR_RING', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'OFAR-L_RING', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'OFAR_RING_BCM', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'OFAR_RING_ECM', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'OFAR_TREE', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'OFAR_RING', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'OFAR-L_RING', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'OFAR_RING_BCM', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'OFAR_RING_ECM', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'OFAR_TREE', \
     'peer-fogsim-permutation-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_TREE_BCM'
unset multiplot
