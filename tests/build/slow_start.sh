#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/guide/start.md and operation.md from beginning to end on a bare Debian: what they say to do as root, and
# all that follows. Only what needs a real subnet is left out. Some minutes.
set -u
[ "$(id -u)" -eq 0 ] || { echo "not root: no bare Debian to try it on"; exit 0; }
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
root=$work/root
debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" >"$work/log" 2>&1 ||
	{ tail -n 3 "$work/log"; echo "no bare Debian to try it on"; exit 0; }
mkdir "$root/odonata"
(cd "$ODONATA_SOURCE" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$root/odonata"
chroot "$root" env PAGES_RUN=root ODONATA_SOURCE=/odonata DEBIAN_FRONTEND=noninteractive LC_ALL=C bash -c '
	. /odonata/tests/cli/pages.sh
	export IBSIM_SOCKNAME=$0
	cd /odonata && run_page docs/guide/start.md && run_page docs/guide/operation.md' "$(basename "$work")"
