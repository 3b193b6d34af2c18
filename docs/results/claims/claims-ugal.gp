# gnuplot claims-ugal.gp, in this folder, makes claims-ugal.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 420,800 noenhanced background 'white'
set output 'claims-ugal.svg'
set multiplot layout 2,1 columnsfirst title 'UGAL variants on the worst case, buffers of 256'
set key top left
set grid
set xlabel 'offered load, phits/(host cycle)'
set title 'advg:n=1'
set ylabel 'latency, cycles'
set yrange [0:1000]
plot 'claims-ugal.csv' using (strcol(2) eq 'UGAL-L' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_VC' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_VCH' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_CR' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 4 pt 7 title 'UGAL-L_CR', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-G' && strcol(3) eq 'advg:n=1' ? $4 : NaN):10 smooth unique with linespoints lt 5 pt 8 title 'UGAL-G'
set title ''
set ylabel 'accepted load'
set yrange [0:*]
plot 'claims-ugal.csv' using (strcol(2) eq 'UGAL-L' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 1 pt 4 title 'UGAL-L', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_VC' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 2 pt 5 title 'UGAL-L_VC', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_VCH' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 3 pt 6 title 'UGAL-L_VCH', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-L_CR' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 4 pt 7 title 'UGAL-L_CR', \
     'claims-ugal.csv' using (strcol(2) eq 'UGAL-G' && strcol(3) eq 'advg:n=1' ? $4 : NaN):8 smooth unique with linespoints lt 5 pt 8 title 'UGAL-G'
unset multiplot
