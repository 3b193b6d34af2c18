# A fabric written and read back is the same fabric.
$ odonata generate dragonfly:p=1,a=2,h=1 -o a.net && odonata generate a.net | cmp - a.net
$ odonata generate a.net --format ibnetdiscover -o b.net && odonata generate b.net | cmp - a.net

# The same seed gives the same bytes, another one others.
$ odonata generate a.net --shuffle 1 -o 1.net; odonata generate a.net --shuffle 1 | cmp - 1.net
$ odonata generate a.net --shuffle 2 | cmp -s - 1.net
= 1
$ odonata generate demo-dragonfly --damage 10%,10%,3 --json | head -4
{
  "switches": 32,
  "hosts": 64,
  "cables": 130,
$ odonata generate demo-dragonfly --damage 10%,10%,3 --shuffle 4 --json | head -4
{
  "switches": 32,
  "hosts": 64,
  "cables": 130,

# Standard input.
$ odonata generate - --json <a.net | head -4
{
  "switches": 6,
  "hosts": 6,
  "cables": 12,

# What a link leads to is written, and the link stays; also where nothing is there yet.
$ mkdir kept && echo old >kept/file && ln -s kept/file link && ln -s kept/new dangling
$ odonata generate a.net -o link && cmp a.net kept/file && test -L link
$ odonata generate a.net -o dangling && cmp a.net kept/new && test -L dangling

# Standard output by another name: what a file has already stays, and so does the name, even if it is root's.
$ ln -s /proc/self/fd/1 out && echo first >all && odonata generate a.net -o out >>all && test -L out
$ (echo first; cat a.net) | cmp - all
