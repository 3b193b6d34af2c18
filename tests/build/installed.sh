#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# installed.sh FOLDER: install the packages in it, let the stock opensm load the plugin as it finds it by
# itself, remove them, and see OpenSM go on with the next engine. Run by slow_packages.sh.
debs=$1
export ODONATA_BUILD=/nonexistent # nothing comes from there
plugin_path=
. "$(dirname "$0")/../plugin/fabric.sh"

dpkg -i "$debs"/*.deb >"$FABRIC/dpkg" 2>&1 || fail "dpkg -i: $(tail -n 5 "$FABRIC/dpkg")"
version=$(dpkg-query -W -f='${Version}' odonata)
[[ "$(odonata --version)" == *"$version"* ]] || fail "odonata --version: $(odonata --version)"
ldconfig -p | grep -q 'libodonata-api\.so\.0' || fail "ldconfig does not know the library"
for file in man/man5/odonata.conf.5.gz man/man7/odonata-plugin.7.gz; do
	dpkg -L odonata-opensm | grep -q "^/usr/share/$file$" || fail "no /usr/share/$file"
done
for file in man/man1/odonata-map.1.gz zsh/vendor-completions/_odonata odonata/configs/quick.yaml; do
	dpkg -L odonata | grep -q "^/usr/share/$file$" || fail "no /usr/share/$file"
done
odonata generate dragonfly:p=2,a=4,h=2 --shuffle 3 >"$FABRIC/net" || fail generate

fabric_start packages "$FABRIC/net"
sm_start
sm_wait_up 1
expect_routed
sm_stop
echo "opensm finds the plugin: $(sed -n 's/.*odonata: //p' "$sm_log" | head -n 1)"

# The samples, with each option in force.
samples=/usr/share/doc/odonata-opensm/examples
[ -f $samples/odonata.conf ] || samples=$(dirname "$0")/../../packaging
sed 's/^#\([a-z_]*=\)/\1/' "$samples/odonata.conf" >"$FABRIC/odonata.conf"
sed "/^#/d; /^$/d; s#/etc/opensm#$FABRIC#" "$samples/opensm.conf" >"$FABRIC/lines"
mapfile -t lines <"$FABRIC/lines"
sm_start "${lines[@]}"
sm_wait_up 1
expect_routed
echo "with all options of odonata.conf: $(sed -n 's/.*odonata: //p' "$sm_log" | head -n 1)"

# The opensm that runs keeps what it has loaded; one that starts later takes the next engine.
packages=$(for deb in "$debs"/*.deb; do dpkg-deb -f "$deb" Package; done)
# shellcheck disable=SC2086
dpkg -L $packages | grep odonata >"$FABRIC/files"
# shellcheck disable=SC2086
dpkg --purge $packages >"$FABRIC/dpkg" 2>&1 || fail "dpkg --purge: $(tail -n 5 "$FABRIC/dpkg")"
while read -r file; do
	[ ! -e "$file" ] || fail "left behind: $file"
done <"$FABRIC/files"
kill -HUP "$(cat "$fabric_dir/sm.pid")"
sm_wait_log 2 "odonata tables configured"
sm_stop
sm_start "routing_engine odonata,dfsssp"
sm_wait_up 1
expect_routed dfsssp
! grep -q "odonata tables configured" "$sm_log" || fail "the plugin is removed, and routes"
echo "removed: $(grep -o '[a-z]* tables configured' "$sm_log" | head -n 1)"
