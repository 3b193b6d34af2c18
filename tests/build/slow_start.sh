#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The guides from beginning to end on a bare Debian: what docs/guide/start.md says to install and build as root,
# all that follows there, the packages of operation.md, and all other pages with the command that was installed.
# What they say to do on a real fabric is done on an emulated one (as_real.sh). Some minutes.
set -u
[ "$(id -u)" -eq 0 ] || { echo "not root: no bare Debian to try it on"; exit 0; }
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
root=$work/root
debian=${ODONATA_DEBIAN:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
debootstrap --variant=minbase "$debian" "$root" >"$work/log" 2>&1 ||
	{ tail -n 3 "$work/log"; echo "no bare Debian to try it on"; exit 0; }
mkdir "$root/odonata"
(cd "$ODONATA_SOURCE" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$root/odonata"
cat >"$root/run.sh" <<'END'
. /odonata/tests/cli/pages.sh
export IBSIM_SOCKNAME=$1 ODONATA_SOURCE=/odonata DEBIAN_FRONTEND=noninteractive LC_ALL=C PAGES_RUN=root
cd /odonata
run_page docs/guide/start.md || exit 1 # nothing is installed
failed=0
run_page docs/guide/operation.md || failed=1
. /odonata/tests/build/as_real.sh
mkdir /tmp/real && cd /tmp/real
odonata generate dragonfly:p=2,a=4,h=2 --shuffle 7 --damage 0%,1% -o fabric.net
ibsim -s -n fabric.net >ibsim.log 2>&1 &
timeout 60 sh -c "until grep -qs 'Network simulator ready' ibsim.log; do sleep 0.5; done"
as_real docs/guide/start.md || failed=1
grep -q '"outcome": "installed"' /var/log/odonata-*.json || { echo "start.md: not installed"; failed=1; }
cd /odonata/build && as_real docs/guide/operation.md || failed=1
kill "$(cat /run/opensm.pid)" && sleep 2
kill %1
unset PAGES_RUN # the packages of opensm.md are those of operation.md
for page in docs/guide/{engines,export,fabric,opensm,path-sls,researchers,validate}.md; do
	mkdir -p "/tmp/$page" && cd "/tmp/$page" && run_page "$page" || failed=1
done
exit $failed
END
chroot "$root" bash /run.sh "$(basename "$work")"
