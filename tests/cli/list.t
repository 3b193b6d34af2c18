# The tables of rows, and the options of a row.
$ odonata list presets | sed 1q
name             spec                                            summary
$ odonata list formats
name           of      read  write  summary
ibnetdiscover  fabric  yes   yes    what infiniband-diags' ibnetdiscover prints
ibsim          fabric  yes   yes    net file of the ibsim simulator
lfts           tables  yes   yes    LFTs for opensm -R file -U (as opensm-lfts.dump)
lid-matrix     tables  no    yes    hop counts for opensm -M (as opensm-lid-matrix.dump)
fdbs           tables  yes   yes    LFTs for ibdmchk -f (as opensm.fdbs)
slvl           tables  yes   yes    SL2VL maps for ibdmchk -d (as opensm-sl2vl.dump)
psl            tables  yes   yes    SL of each path for ibdmchk -c
lst            tables  no    yes    cables for ibdmchk -s (as opensm-subnet.lst)
sl2vl          tables  yes   no     SL2VL maps of OpenSM (opensm-sl2vl.dump)
$ odonata list topologies dragonfly
option       values                                   default        summary
p            a number from 0 to 254                   1              hosts on each switch
a            numbers from 1 to 254                    must be given  switches in a group: a complete graph, or the dimensions of a FlatFly
h            a number from 1 to 254                   must be given  global ports of each switch
g            a number from 0 to 4194304               0              groups; 0 for the most there can be, a*h + 1
arrangement  palmtree consecutive relative circulant  palmtree       order in which a group's global ports go to the others
l            numbers from 1 to 254                    1              cables of a local link: one number, or one per dimension
cables       a number from 0 to 4194304               0              cables between two groups at most, for a tapered one; 0 for as many as fit
ports        a number from 0 to 254                   0              ports of each switch; 0 for as many as are cabled
$ odonata list topologies dragonfly --json | head -6
[
  {
    "option": "p",
    "values": "a number from 0 to 254",
    "default": "1",
    "summary": "hosts on each switch"
