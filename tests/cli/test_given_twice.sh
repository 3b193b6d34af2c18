#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every option with a value is refused the second time, in every command, except where its help says that it
# may be given several times. Options are those that the commands themselves name.
set -u
build=$(cd "$1" && pwd)
export LC_ALL=C PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 options=0 several=0

# A value that the option takes, by what help calls it.
value_of() { # COMMAND OPTION METAVAR
	case $1,$2,$3 in
	*,--engine,* | *,--engines,*) echo updown ;;
	generate,--format,*) echo ibsim ;;
	export,--format,*) echo lfts ;;
	plan,--radix,*) echo 36 ;;
	*,*%*) echo 1%,1% ;;
	*,PERCENT*) echo 1% ;;
	*,SHARE | *,LOAD | *,LOADS) echo 0.5 ;;
	*) echo 2 ;;
	esac
}

while IFS=$'\t' read -r command option metavar help _; do
	[ "$metavar" != - ] || continue
	options=$((options + 1))
	value=$(value_of "$command" "$option" "$metavar")
	odonata "$command" "$option=$value" "$option=$value" >/dev/null 2>err </dev/null
	code=$?
	if [[ $help == *"several times"* ]]; then
		several=$((several + 1))
		! grep -q "found twice" err || { echo "$command $option: $(sed 1q err)"; failed=1; }
	elif [ $code -ne 2 ] || ! grep -qx "odonata $command: $option: expected once, found twice" err; then
		echo "$command $option=$value twice: exit code $code, $(sed 1q err)"
		failed=1
	fi
done < <(odonata-manual options)
[ "$options" -gt 100 ] || { echo "only $options options"; failed=1; }
[ "$several" -ge 3 ] || { echo "only $several options may come several times"; failed=1; }

# By its letter, and by its name.
odonata emulate demo-dragonfly -p uniform --pattern=advg 2>&1 | grep -q -- "--pattern: expected once, found twice" ||
	{ echo "-p and --pattern are taken for two options"; failed=1; }
# An option without a value says the same twice.
odonata list engines --json --json >/dev/null || { echo "--json --json is refused"; failed=1; }
exit $failed
