# Of a source that the path SLs leave out nobody knows the SL: the verdict is neither yes nor no.
$ odonata generate torus:k=5x5,c=1 -o torus.net
$ for format in lfts sl2vl psl; do odonata export torus.net -f $format -o torus.$format; done
$ odonata verify torus.net --tables torus.lfts --tables torus.sl2vl --tables torus.psl | head -1
safe           yes
$ awk '!seen[$1]++ { n++ } n != 3' torus.psl >less.psl
$ odonata verify torus.net --tables torus.lfts --tables torus.sl2vl --tables less.psl
safe              incomplete
pairs without sl  24
engine            imported
profile           ib
vls               2
sls               4
sl depends on     source and destination
sl2vl maps        3
delivers          yes
deadlock free     yes
within vls        yes
pairs             1250
cut pairs         0
longest path      4
dependencies      254
= 1
