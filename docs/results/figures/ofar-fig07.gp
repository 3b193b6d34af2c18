# gnuplot ofar-fig07.gp, in this folder, makes ofar-fig07.svg.
set datafile separator comma
set datafile commentschars '#p'
set terminal svg size 800,500 noenhanced background 'white'
set output 'ofar-fig07.svg'
set title 'Latency after a change from ADVG+2 to ADVG+h at load 0.12'
set key top left
set grid
set xlabel 'cycle'
set ylabel 'latency of packets generated then, cycles'
set xrange [49500:51500]
plot 'ofar-fig07.0.series.csv' using 1:7 with lines lt 1 title 'PB, advg:n=2/50000/advg:n=1,unit=h', \
     'ofar-fig07.1.series.csv' using 1:7 with lines lt 2 title 'OFAR, advg:n=2/50000/advg:n=1,unit=h', \
     'ofar-fig07.2.series.csv' using 1:7 with lines lt 3 title 'OFAR-L, advg:n=2/50000/advg:n=1,unit=h'
