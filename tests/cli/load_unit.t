# What load 1 is, where cables do not all run alike: hosts on halves of ports.
$ odonata generate flatfly:k=4,c=2 --format ibnetdiscover | sed -E '/"H-|^\[1\]\(/s/4xQDR/2xQDR/' >half.topo; odonata analyze half.topo | grep -A1 saturation
saturation at most  1
load 1 is           2xQDR, the fastest cable of a host
$ odonata emulate half.topo --load 0.1 --warmup 100 --cycles 100 | grep load.1.is
load 1 is        a phit a cycle: in this model all cables are alike
$ odonata emulate half.topo --load 0.1 --warmup 100 --cycles 100 --model infiniband | grep load.1.is
load 1 is        4xQDR, the fastest cable
$ odonata analyze flatfly:k=4,c=2 | grep load.1.is
= 1
