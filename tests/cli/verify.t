# Of a source that the path SLs leave out nobody knows the SL: the verdict is neither yes nor no.
$ odonata generate torus:k=5x5,c=1 -o torus.net
$ for format in lfts sl2vl psl; do odonata export torus.net -f $format -o torus.$format; done
$ odonata verify torus.net --tables torus.lfts --tables torus.sl2vl --tables torus.psl | head -1
safe                      yes
$ awk '!seen[$1]++ { n++ } n != 3' torus.psl >less.psl
$ odonata verify torus.net --tables torus.lfts --tables torus.sl2vl --tables less.psl
safe                      incomplete
scope                     1250 of 1250 pairs (switch, LID); 48 pairs with a guessed SL
safe with path sls        incomplete
safe with any one sl      no
sls safe for all          none
sls safe beside path sls  none
pairs without sl          48
engine                    imported
profile                   ib
vls                       2
sls                       4
sl depends on             source and destination
sl2vl maps                3
delivers                  yes
deadlock free             yes
within vls                yes
pairs                     1250
cut pairs                 0
longest path              4
dependencies              254
= 1

# Nor of one host of a switch whose other hosts spoke, though what is known of these may be bad enough.
$ odonata generate torus:k=6,c=2 -o ring.net
$ for format in lfts sl2vl psl; do odonata export ring.net -f $format -o ring.$format; done
$ awk '!seen[$1]++ { n++ } n % 2' ring.psl >half.psl
$ echo 'odonata verify ring.net --tables ring.lfts --tables ring.sl2vl "$@" | grep -E "^(safe|pairs without|failure) "' >v
$ bash v --tables half.psl
safe                      incomplete
safe with path sls        incomplete
safe with any one sl      no
pairs without sl          90
$ awk '!seen[$1]++ { n++ } { if (n % 2 == 0) $3 = 0; print }' ring.psl >zero.psl
$ bash v --tables zero.psl
safe                      no
safe with path sls        no
safe with any one sl      no
failure                   deadlock: 6 channels wait for each other in a cycle, from port 3 of "S0" on VL 0

# What switches send counts, and what is sent to them, unless hosts alone are asked for.
$ (cat ring.psl; awk -F '[=(]' '/^switchguid/ { for (l = 1; l <= 18; l++) print $2, l, 0 }' ring.net) >switches.psl
$ bash v --tables switches.psl
safe                      no
safe with path sls        no
safe with any one sl      no
failure                   deadlock: 6 channels wait for each other in a cycle, from port 3 of "S0" on VL 0
$ awk '$2 > 6' ring.psl >hosts.psl
$ bash v --tables hosts.psl
safe                      incomplete
safe for hosts            yes
safe with path sls        incomplete
safe with any one sl      no
pairs without sl          60
failure                   deadlock: 6 channels wait for each other in a cycle, from port 3 of "S0" on VL 0
$ bash v --tables hosts.psl --hosts-only
safe                      yes
safe with path sls        yes
safe with any one sl      no

# SL2VL maps that end too soon.
$ head -n 100 ring.sl2vl >cut.sl2vl
$ odonata verify ring.net --tables ring.lfts --tables cut.sl2vl --tables ring.psl
! odonata: expected the SL2VL maps of all ports with cables, or no map, found none from port 1 to port 2 of "S4"
= 3

# Switches without hosts have SLs, too, and come back.
$ odonata generate fattree:k=4,levels=3 -o tree.net
$ for format in lfts sl2vl psl; do odonata export tree.net -e layered -f $format -o tree.$format; done
$ odonata verify tree.net --tables tree.lfts --tables tree.sl2vl --tables tree.psl | head -1
safe                      yes

# A switch's own LID without an entry: packets to it are dropped there.
$ sed '0,/^0x0001 000/{/^0x0001 000/d}' ring.lfts >own.lfts
$ odonata verify ring.net --tables own.lfts --tables ring.sl2vl --tables ring.psl | grep -E "^(safe|failure) "
safe                      no
safe for hosts            yes
safe with path sls        no
safe with any one sl      no
failure                   LID 1 ends at switch "S0" (GUID 0x0d0a000000200000), which has no entry (port 255)

# LIDs that no port of the file has, here since it does not tell the LMC: what is proved is less than all.
$ odonata generate fattree:k=4,levels=2 --lmc 2 -o lmc.net; odonata export lmc.net -f fdbs -o lmc.fdbs
$ sed 's/ lmc 2/ lmc 0/' lmc.net >base.net
$ odonata verify lmc.net --tables lmc.fdbs | head -2
safe                      yes
scope                     228 of 228 pairs (switch, LID); VL 0 assumed for all packets
$ odonata verify base.net --tables lmc.fdbs | head -2
safe                      incomplete
scope                     84 of 228 pairs (switch, LID); 24 LIDs that no port has, followed for loops and deadlock only; VL 0 assumed for all packets

# Two switches that send such a LID to each other: it goes round, and what goes round is no freedom from deadlock.
$ awk '/Switch 0x/ { at++ } toupper($1) == "0X000D" { $3 = at <= 4 ? "003" : "001" } { print }' lmc.fdbs >round.fdbs
$ odonata verify base.net --tables round.fdbs | grep -E "^(safe|deadlock free|failure)  "
safe                      no
deadlock free             no
failure                   LID 13, which no port of the fabric has, loops through switch "S0" (GUID 0x0d0a000000200000)
$ odonata verify lmc.net --tables round.fdbs | grep -E "^(safe|deadlock free|failure)  "
safe                      no
deadlock free             no
failure                   LID 13 ends at switch "S0" (GUID 0x0d0a000000200000), which should deliver it, but sends it to a switch (port 3)

# SL2VL maps that tell SLs apart, and no path SLs: that all paths have SL 0 is a guess.
$ odonata verify torus.net --tables torus.lfts --tables torus.sl2vl | grep -E "^(safe|scope|safe with any one sl)  "
safe                      incomplete
scope                     1250 of 1250 pairs (switch, LID); SL 0 guessed for all paths
safe with any one sl      no

# Switches' own LIDs alone without entries, as OpenSM's updn leaves them.
$ awk '/^Unicast/ { root = /guid 0x0d0a00000020001[0-3]/ } !(root && /^0x00(11|12|13|14) / && $2 != "000")' tree.lfts >updn.lfts
$ odonata verify tree.net --tables updn.lfts --tables tree.sl2vl --tables tree.psl | head -4
safe                      no
scope                     720 of 720 pairs (switch, LID)
safe for hosts            yes
advice                    only paths to switches' own LIDs are wrong or missing; OpenSM's updn and ftree leave out those between root switches unless connect_roots is TRUE; --hosts-only leaves them out here
$ odonata verify tree.net --tables updn.lfts --tables tree.sl2vl --tables tree.psl --hosts-only | head -2
safe                      yes
scope                     320 of 720 pairs (switch, LID); 20 LIDs of switches left out
# Hosts are safe on SL 0, which is a guess where no file gives the SLs: SL 5 drops all.
$ awk '$3 == ":" { $9 = 15 } { print }' tree.sl2vl >drop.sl2vl
$ odonata verify tree.net --tables updn.lfts --tables drop.sl2vl | grep -E "^(safe|safe for hosts|scope|sls safe for all)  "
safe                      no
scope                     720 of 720 pairs (switch, LID); SL 0 guessed for all paths
sls safe for all          none
$ odonata verify tree.net --tables updn.lfts --tables drop.sl2vl --hosts-only | grep -E "^(safe|sls safe for all)  "
safe                      incomplete
sls safe for all          0-4,6-15
$ odonata compare tree.net --tables updn.lfts,tree.sl2vl,tree.psl --permutations 2 | awk '/^portfolio/ { exit } { print $1, $2, $3 }'
topology fattree 
switches 20 
hosts 16 
cables 48 
advice only paths
routings  
routing safe scope
updn.lfts,tree.sl2vl,tree.psl no 720
computed by Odonata
$ odonata compare tree.net --tables updn.lfts,tree.sl2vl,tree.psl --permutations 2 --hosts-only | awk '/updn/ { print $1, $2, $3 }'
updn.lfts,tree.sl2vl,tree.psl yes yes
$ odonata report tree.net --tables updn.lfts --tables tree.sl2vl --tables tree.psl --hosts-only --json -o page.json
