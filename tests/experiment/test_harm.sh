#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A sweep that is killed at random moments, whose disk is full or may not be written, or whose clock jumps, says so and
# loses nothing: started again, it ends with the bytes of one that nobody disturbed. With ODONATA_WIDE 60 kills, not 6.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
	echo "FAILED: $*"
	tail -n 5 said 2>/dev/null
	exit 1
}

cat >harm.yaml <<'YAML'
name: harm
title: A sweep that is harmed
fabric: dragonfly:p=2,a=4,h=2
measure: load
patterns: [uniform, "advg:n=1"]
loads: [0.1:0.9:0.1]
warmup: 500
measured: 2000
seeds: 4
curves: [{name: MIN, routing: min}, {name: OFAR, routing: ofar}]
YAML
mkdir whole killed limited full readonly clock
sweep() { odonata experiment harm.yaml --threads 2 --folder "$@" >out 2>said; }
points() { grep -c '^[0-9]' "$1/harm.csv" 2>/dev/null; }
same() { cmp whole/harm.csv "$1/harm.csv" || fail "$1: other bytes than those of a sweep undisturbed"; }
# refused FOLDER TEXT: the sweep ends with that error and its exit code.
refused() {
	sweep "$1"
	local code=$?
	[ $code = 5 ] && grep -q "^odonata: $1/harm\.csv: .*: $2" said || fail "$1: exit code $code, and not 5 with \"$2\""
}
started=$(date +%s%3N)
sweep whole || fail "undisturbed"
took=$(($(date +%s%3N) - started + 1)) # ms
[ "$(points whole)" = 144 ] || fail "$(points whole) points, and not 144"

# Killed at random moments; what was done is kept, and the last one that is not killed does the rest.
RANDOM=21
kills=$([ "${ODONATA_WIDE:-}" ] && echo 60 || echo 6)
halfway=0 before=0
for ((i = 0; i < kills; i++)); do
	[ "$before" -lt 130 ] || rm -f killed/*
	[ "$before" -lt 130 ] || before=0
	odonata experiment harm.yaml --threads 2 --folder killed >out 2>said &
	sleep "$(printf '%d.%03d' $((at = RANDOM % took, at / 1000)) $((at % 1000)))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	now=$(points killed)
	[ "${now:-0}" -ge "$before" ] || fail "kill $i: $before points were done, now $now are"
	before=${now:-0}
	[ "$before" -gt 0 ] && [ "$before" -lt 144 ] && halfway=$((halfway + 1))
done
[ $halfway -gt 0 ] || fail "no kill left a sweep half done"
sweep killed || fail "after $kills kills"
same killed
echo "$kills kills, $halfway of them half-way"

# A disk that is full: as a limit of the file's size, and where namespaces are allowed, as one.
(trap '' XFSZ; ulimit -f 4; refused limited "File too large") || exit 1
[ "$(points limited)" -gt 0 ] || fail "nothing of what was done is kept"
sweep limited || fail "after a full disk"
same limited
if unshare -m true 2>/dev/null; then
	export -f sweep refused fail points
	unshare -m bash -c 'mount -t tmpfs -o size=8k none full && refused full "No space left on device"' || exit 1
	unshare -m bash -c 'mount --bind whole readonly && mount -o remount,bind,ro readonly &&
		refused readonly "Read-only file system"' || exit 1
	same killed # whole/harm.csv is what it was
	echo "a full disk, a read-only folder"
fi

# A clock that jumps by up to a year either way at each look at it.
cat >clock.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
	static unsigned state;
	static int (*real)(clockid_t, struct timespec *);
	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int status = real(id, t);
	state = state * 1103515245u + 12345u;
	t->tv_sec += (int)(state >> 8) % 63072000 - 31536000;
	return status;
}
time_t time(time_t *at)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (at)
		*at = t.tv_sec;
	return t.tv_sec;
}
C
if ! nm -D "$(command -v odonata)" | grep -q __asan; then
	cc -O1 -shared -fPIC -o clock.so clock.c -ldl || fail "the clock is not built"
	LD_PRELOAD=./clock.so sweep clock || fail "with a clock that jumps"
	same clock
	echo "a clock that jumps"
fi
