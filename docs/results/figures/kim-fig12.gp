# gnuplot kim-fig12.gp, in this folder, makes kim-fig12.svg: the paper's figure, of packets by latency.
set datafile separator comma
set terminal svg size 900,380 noenhanced background 'white'
set output 'kim-fig12.svg'
set multiplot layout 1,2
set border 3
set tics nomirror out
set grid y lt 1 lc rgb '#dddddd' lw 0.8
set style fill solid noborder
set xlabel 'latency, cycles'
set ylabel 'share of packets'
set yrange [0:*]
unset key
# The rows are thousandths of the packets, by latency.
width = 10.0
bin(x) = width * floor(x / width) + width / 2
set boxwidth width
set title '(a) 16 flits, load 0.25'
plot 'kim-fig11.4.latency.csv' every ::1 using (bin($2)):(0.001) smooth frequency with boxes lc rgb '#0072b2'
set title '(b) 256 flits, load 0.25'
plot 'kim-fig11.14.latency.csv' every ::1 using (bin($2)):(0.001) smooth frequency with boxes lc rgb '#d55e00'
unset multiplot
