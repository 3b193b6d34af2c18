#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# `odonata install live` by another user than the one who runs opensm: what cannot be kept is refused before anybody
# is asked, what is kept only its user can change, and only such a file, or root's, is restored.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

answer=$FABRIC/answer
other=65534 # nobody: has no files of its own
run_as() { # USER COMMAND...
	local as=()
	[ "$1" = "$(id -u)" ] || as=(setpriv --reuid "$1" --regid "$1" --clear-groups --inh-caps=-all --)
	shift
	in_fabric "${as[@]}" "$FABRIC/odonata" "$@" >"$answer" 2>"$answer.err"
}
expect() { # CODE USER COMMAND...: what is refused is said in one line
	local code=$1 found=0
	shift
	run_as "$@" </dev/null || found=$?
	[ $found = "$code" ] || fail "as $*: expected exit code $code, found $found: $(cat "$answer" "$answer.err")"
	[ $code = 0 ] || [ "$(grep -vc 'discovering' "$answer.err")" = 1 ] || fail "not one line: $(cat "$answer.err")"
}
says() { # PATTERN
	grep -qE "$1" "$answer.err" || fail "not said: $1: $(cat "$answer.err")"
}
hold() { # NAME: all that switches and adapters hold
	{ by_tool lfts && by_tool sl2vl; } | sort >"$FABRIC/$1.held"
	[ -s "$FABRIC/$1.held" ] || fail "nothing can be read"
}
is_as() { # NAME WHEN
	hold now
	cmp -s "$FABRIC/now.held" "$FABRIC/$1.held" || fail "$2: $(diff "$FABRIC/now.held" "$FABRIC/$1.held" | head -n 5)"
}
owner() { # FILE
	stat -c '%u %a' "$1"
}

me=$(id -u)
[ "$me" = 0 ] && command -v setpriv >/dev/null || other=$me # as another user only root can run something
cp "$ODONATA_BUILD/cli/odonata" "$FABRIC/odonata" && chmod 755 "$FABRIC" "$FABRIC/odonata"
mkdir "$FABRIC/shared" "$FABRIC/locked"
chmod 1777 "$FABRIC/shared" # as /tmp
chmod 500 "$FABRIC/locked"
"$odonata" generate mesh:k=3x3,c=1 -o "$FABRIC/mesh.net" || fail generate
fabric_start mesh "$FABRIC/mesh.net"
chmod 1777 "$fabric_dir" # ibsim makes a folder here
sm_start "routing_engine minhop" "qos TRUE"
sm_wait_up 1
sm_stop
hold minhop
cd "$FABRIC/shared" || fail shared

# Where nothing can be kept nobody is asked, and nothing is written.
expect 5 "$other" install live --engine updown --yes --keep "$FABRIC/locked/kept"
says 'locked/kept: cannot write: Permission denied'
expect 5 "$other" install live --engine updown --yes --keep "$FABRIC/none/kept"
says 'none/kept: cannot write: No such file or directory'
is_as minhop "nothing could be kept, and yet"

# What is kept belongs to this user, and others cannot change it, whatever the umask.
umask 0
expect 0 "$other" install live --engine updown --yes --keep "$FABRIC/shared/kept"
umask 022
[ "$(owner kept)" = "$other 644" ] || fail "kept: $(owner kept)"
[ -z "$(ls | grep -v '^kept$')" ] || fail "a draft is left: $(ls)"
hold ours
cmp -s "$FABRIC/ours.held" "$FABRIC/minhop.held" && fail "nothing was installed"

# A file that exists is nobody's draft: it stays, whosever it is.
for user in "$me" "$other"; do
	expect 3 "$user" install live --engine updown --yes --keep "$FABRIC/shared/kept"
	says 'shared/kept: expected a new file, found one'
done
ln -s nowhere link && expect 3 "$me" install live --yes --keep "$FABRIC/shared/link"
says 'shared/link: expected a new file, found one'
# Nor is one that comes while the question is open.
mkfifo answers
: >"$answer.err"
run_as "$other" install live --engine dor --keep "$FABRIC/shared/late" <answers &
installer=$!
exec {to}>answers
wait_for 20 grep -q 'Continue?' "$answer.err" || fail "it does not ask: $(cat "$answer.err")"
: >late
echo y >&$to
exec {to}>&-
wait "$installer" && fail "a file was replaced"
says 'shared/late: expected a new file, found one'
[ ! -s late ] || fail "a file was replaced"
is_as ours "nothing could be kept, and yet"

# Others could have written into a file: it is not restored. A copy is one's own.
if [ "$other" != "$me" ]; then
	expect 1 "$me" install live --yes --restore "$FABRIC/shared/kept"
	says "expected a file that only you or root can change, found one of the user with number $other: copy it"
fi
cp kept mine && chmod 666 mine
expect 1 "$me" install live --yes --restore "$FABRIC/shared/mine"
says 'found one that every user can change'
is_as ours "somebody else's tables were refused, and yet"
chmod 600 mine
if [ "$other" != "$me" ]; then
	expect 5 "$other" install live --yes --restore "$FABRIC/shared/mine"
	says 'shared/mine: cannot read: Permission denied'
fi
chmod 644 mine
expect 0 "$other" install live --yes --restore "$FABRIC/shared/mine"
is_as minhop "root's file was restored, and yet"

# No pipe that never ends, and no device, is waited for.
for thing in answers link "$FABRIC" /dev/null; do
	expect 3 "$other" install live --yes --restore "$(realpath -m "$thing")"
	says '(expected a regular file, found|No such file)'
done
[ "$other" != "$me" ] || echo "not root: another user is not tried"
echo "tables are kept, and restored, for users who can trust them"
