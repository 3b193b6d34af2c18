# The plugin's state file, for people; times depend on where one is.
$ cp $ODONATA_SOURCE/tests/data/state.json .; odonata status state.json | grep -vE '^(written|entries last)'
schema                1
outcome               installed
reason                
routing engine        odonata
options               max_vls=2
options reason        
engine                dragonfly
topology              dragonfly
topology reason       
installed             1
options refused       0
sweep                 1
sweeps not routed     0
switches              20
hosts                 20
cables                69
missing switches      0
missing cables        1
wrong cables          1
slow cables           0
vls                   2
sls                   1
lft entries           800
lft entries changed   800
sl pairs changed      0
reconnect pairs       0
map seconds           0.0048696
route seconds         0.00061031
bound uniform         1
bound shifts          0.44444
faults
  fault          from  from guid           from port  to    to guid             to port  from belongs  from belongs guid   from belongs port  cables
  wrong cable    g0r1  0x0d0a000000200001          2  g3r2  0x0d0a00000020000e        4  g0r0          0x0d0a000000200000                  2  
  missing cable  g3r2  0x0d0a00000020000e             g3r3  0x0d0a00000020000f                                                                     1
$ odonata status state.json --strict | grep -A2 ^alarms
alarms
  what
  the fabric has faults
$ odonata status state.json --json | head -5
{
  "schema": 1,
  "outcome": "installed",
  "reason": "",
  "routing_engine": "odonata",
$ odonata status none.json
! odonata: none.json: cannot open: No such file or directory
= 3
$ echo '{' >bad.json; odonata status bad.json
! odonata: bad.json:2: expected the plugin's state file: string or '}' expected near end of file
= 3
$ echo '{"schema": 2, "outcome": "installed"}' >new.json; odonata status new.json
! odonata: new.json:1: expected the plugin's state file of schema 1, found something else
= 3
$ echo '{"outcome": 3, "schema": 1}' | odonata status -
! odonata: (standard input):1: expected the plugin's state file of schema 1, found something else
= 3
$ cp $ODONATA_SOURCE/tests/data/corpus/status/sealed.json .; odonata status sealed.json | grep -E 'seal|^cables'
cables                69
$ sed 's/"cables": 69/"cables": 68/' sealed.json >changed.json; odonata status changed.json
! odonata: changed.json: it is torn or changed: the checksum of its 1138 bytes is wrong
= 3
$ sed 's/seal": "odo/sell": "odo/' sealed.json | odonata status -
! odonata: (standard input): it is torn or changed: the checksum of its 1138 bytes is wrong
= 3
$ head -n -2 sealed.json >torn.json; odonata status torn.json
! odonata: torn.json:34: expected the plugin's state file: string or '}' expected near end of file
= 3
$ mkdir states empty; cp state.json states/odonata-00000000000000aa.json; odonata status states | grep -E '^(outcome|file)'
outcome               installed
file                  odonata-00000000000000aa.json
$ sed 's/"installed"/"declined"/' state.json >states/odonata-00000000000000bb.json; odonata status states >said; echo $?; sed -E 's/20[0-9]{2}-[0-9-]+ [0-9:]+/TIME/' said
1
subnets
  file                           manager port guid  outcome    engine     topology   switches  hosts  written              faults  alarms
  odonata-00000000000000aa.json                     installed  dragonfly  dragonfly        20     20  TIME       2  
  odonata-00000000000000bb.json                     declined   dragonfly  dragonfly        20     20  TIME       2  no new tables were installed
$ echo '{' >states/odonata-00000000000000cc.json; mkfifo states/odonata-00000000000000dd.json; odonata status states --json | grep -E '"(what|file)"'
      "file": "odonata-00000000000000aa.json"
          "what": "no new tables were installed"
      "file": "odonata-00000000000000bb.json"
          "what": "states/odonata-00000000000000cc.json:2: expected the plugin's state file: string or '}' expected near end of file"
      "file": "odonata-00000000000000cc.json"
          "what": "states/odonata-00000000000000dd.json: expected a regular file, found a pipe"
      "file": "odonata-00000000000000dd.json"
$ odonata status states | grep -c pipe
1
$ odonata status empty
! odonata: empty: expected the plugin's state files, odonata-SUBNET.json, found none
= 3
# What switches hold is in a file beside the state file.
$ odonata status states/odonata-00000000000000aa.json | grep '^read back'
= 1
$ echo '{"schema": 1, "time_seconds": 4e9, "read_back_seconds": 600, "seen_right": 1, "oldest_seconds": 34, "switches": [{"switch": "g0r1", "doubt": ""}]}' >states/odonata_switches-00000000000000aa.json; odonata status states/odonata-00000000000000aa.json | grep '^read back'
read back             1 of 1 switches seen with the right tables, the oldest 34 s ago; 600 s are wanted
$ echo '{"schema": 1, "time_seconds": 4e9, "read_back_seconds": 600, "seen_right": 1, "oldest_seconds": 700, "switches": [{"switch": "g0r1", "doubt": ""}, {"switch": "g0\u001b[2Jr2", "doubt": "other tables"}, {"doubt": "changed"}]}' >states/odonata_switches-00000000000000aa.json; odonata status states/odonata-00000000000000aa.json >said; echo $?; grep -A2 -E '^(read back|alarms)' said
1
read back             1 of 3 switches seen with the right tables, the oldest not seen, but sent 700 s ago; 600 s are wanted
alarms
  what
  it is not known what tables these switches hold, 2 switches in doubt: g0?[2Jr2, ?
$ odonata status states/odonata-00000000000000aa.json --json | grep -A2 '"read_back": {'
  "read_back": {
    "schema": 1,
    "time_seconds": 4e9,
$ echo '{"schema": 1, "switches": []}' >states/odonata_switches-00000000000000aa.json; odonata status states/odonata-00000000000000aa.json | grep '^read back'
read back             off: read_back_seconds=0
$ for bad in '{' '[]' '{"schema": 1, "switches": {}}' '{"schema": 2, "switches": []}'; do echo "$bad" >states/odonata_switches-00000000000000aa.json; odonata status states/odonata-00000000000000aa.json | grep -c '^read back'; done
0
0
0
0
= 1
