# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion in a real zsh: complete.zsh FOLDER_OF_ODONATA LINE EXPECTED...
# types each line and a tab, and waits until what is expected appears, which the line must not hold.
zmodload zsh/zpty zsh/datetime
cd $1 && shift || exit 1

expect() { # PATTERN
	local out= more until=$((EPOCHSECONDS + 20))
	while [[ $out != *$1* ]]; do
		((EPOCHSECONDS < until)) || { print -r -- "expected $1, found: ${(V)out}"; return 1 }
		if zpty -r -t shell more; then out+=$more; else sleep 0.02; fi
	done
}

zpty shell zsh -f -i
zpty -w shell "stty -echo cols 200; fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'LISTMAX=10000; unsetopt list_beep list_ambiguous; print START${:-ED}'
expect STARTED || exit 1
failed=0
for line expected; do
	zpty -n -w shell $line$'\t\t'
	expect $expected || { print -r -- "  in: $line"; failed=1 }
	zpty -n -w shell $'\x15'
done
zpty -d shell
exit $failed
