# Help is had in the ways that people try.
$ for command in generate map route export verify analyze emulate experiment list; do
> 	odonata $command --help >help
> 	for way in "$command -h" "$command -?" "help $command"; do odonata $way | cmp help - || echo $way; done
> done; head -1 help
Usage: odonata list [OPTION...]
$ odonata --help >help; for way in -h '-?' help; do odonata $way | cmp help -; done

# The tables of rows, and the options of a row.
$ odonata list presets | sed 1q
name             spec                                            summary
$ odonata list formats | grep ibsim
ibsim          fabric  yes   yes    net file of the ibsim simulator
$ odonata list topologies hypercube
option      values                   default        summary
n           a number from 1 to 16    must be given  dimensions
l           numbers from 1 to 254    1              cables of a link: one number, or one per dimension
c           a number from 0 to 254   1              hosts on each switch
ports       a number from 0 to 254   0              ports of each switch; 0 for as many as are cabled
speed       sdr to xdr, or as 2xhdr  4xqdr          of cables, on 4 lanes or as 2xhdr
host-speed  sdr to xdr, or as 2xhdr  same           of hosts' cables
$ odonata list topologies hypercube --json | head -6
[
  {
    "option": "n",
    "values": "a number from 1 to 16",
    "default": "must be given",
    "summary": "dimensions"
$ for table in topologies presets engines formats patterns workloads placements models policies; do
> 	odonata list $table --json | odonata-manual json || echo "$table is no JSON"
> done

# The fields of a model, with a preset's values.
$ odonata list models kim | grep -E '^(option|packet|arbiter)'
option            values                      default      summary
packet            a number from 1 to 65535    1            phits of a packet, or bytes as 4KiB
arbiter           lrs round-robin             round-robin  of inputs and outputs
$ odonata list models kimm
! odonata: list: expected one of 'odonata list models', found 'kimm'
= 2
