# gnuplot peer-fogsim-v1.gp, in this folder, makes peer-fogsim-v1.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 2520,800 noenhanced background 'white'
set output 'peer-fogsim-v1.svg'
set multiplot layout 2,6 columnsfirst title 'FOGSim, first version, h=2'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'uniform'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'uniform' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'uniform' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title 'advg:n=2'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advg:n=2' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title 'advl'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advl' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'advl' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title 'hotregion'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'hotregion' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'hotregion' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title 'permutation'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):10 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'peer-fogsim-v1.csv' using (strcol(2) eq 'MIN_v1' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'MIN_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_v1' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'VAL_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'VAL_ANY_v1' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'VAL_ANY_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB_v1' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'PB_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'PB125_v1' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'PB125_v1', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 6 pt 9 title 'OFAR_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR-L_RING' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 7 pt 10 title 'OFAR-L_RING', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 8 pt 11 title 'OFAR_RING_BCM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_RING_ECM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 9 pt 12 title 'OFAR_RING_ECM', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 10 pt 13 title 'OFAR_TREE', \
     'peer-fogsim-v1.csv' using (strcol(2) eq 'OFAR_TREE_BCM' && strcol(3) eq 'permutation' ? $4 : NaN):8 smooth unique with linespoints lt 11 pt 14 title 'OFAR_TREE_BCM'
unset multiplot
