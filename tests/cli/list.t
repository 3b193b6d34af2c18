# Help comes in the ways that people try: -h and -? fit on a screen, the others have all options.
$ for command in $(odonata --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
> 	odonata help $command >help
> 	odonata $command --help | cmp help - || echo $command --help
> 	odonata $command -h >short
> 	odonata $command '-?' | cmp short - || echo $command '-?'
> 	[ $(wc -l <short) -le 25 ] || echo $command -h: $(wc -l <short) lines
> 	[ $(sed 1d short | wc -L) -le 80 ] || echo $command -h: $(wc -L <short) columns
> 	grep -q "^'odonata $command --help' prints all" short || echo $command -h
> 	odonata-manual options | sed -n "s/^$command\t\([^\t]*\).*/\1/p" >options
> 	grep -o '^ .*' help | grep -o -- '--[a-zA-Z_-]*' | sort -u | comm -13 - <(sort -u options)
> done; head -1 help; sed -n '1p;2p;4p' short
Usage: odonata list [OPTION...] topologies|presets|engines|formats|patterns|workloads|placements|models|policies|adapters [NAME]
Usage: odonata list [OPTION...] topologies|presets|engines|formats|patterns|workloads|placements|models|policies|adapters [NAME]
List topologies, engines, patterns and other choices.
  -j, --json               Answer in JSON, for programs
$ odonata --help >help; odonata help | cmp help -; odonata -h >short; odonata '-?' | cmp short -; wc -l short; comm -23 <(sort -u short) <(sort -u help)
25 short
'odonata COMMAND -h' prints the most used options, '--help' all of them.

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
