#!/usr/bin/env bash
# 200 cables cut and repaired by lot on each of several fabrics, under the stock OpenSM: connections
# keep the SLs that they were given, and after each change what all of them hold together must be safe,
# but for the pairs that the log told to reconnect. After every twentieth the switches are read as well, and
# ibdmchk judges the first SLs that connections hold. A file for each fabric in FOLDER; what is there already is not done again:
#   slow_handed.sh BUILD [FOLDER [STEPS [NAME...]]]
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"

folder=${2:-$FABRIC/rows}
steps=${3:-200}
names=" ${*:4} "
mkdir -p "$folder" || fail "cannot make $folder"
commit=$(git -C "${ODONATA_SOURCE:-$(dirname "$0")}" rev-parse --short HEAD 2>/dev/null || echo unknown)

one() { # NAME SPEC [OPTION OF GENERATE...]
	local name=$1 spec=$2 step loops rows=$folder/$1.part bad=0
	shift 2
	[ "$names" = "  " ] || [[ $names = *" $name "* ]] || return 0
	[ -s "$folder/$name.csv" ] && { echo "$name: is there"; return; }
	"$odonata" generate "$spec" "$@" >"$FABRIC/$name.net" || fail "generate $spec"
	{
		echo "# tests/plugin/slow_handed.sh BUILD FOLDER $steps"
		echo "# $spec $*; opensm 3.3.23, ibsim 0.10, commit $commit, $(date +%F)"
		echo "step,$handed_columns,ibdmchk"
	} >"$rows"
	handed_start "$name" "$FABRIC/$name.net" 7 8
	echo "0,$row," >>"$rows"
	for ((step = 1; step <= steps; step++)); do
		handed_reads=$([ $((step % 20)) -eq 0 ] && echo yes)
		handed_step
		loops=
		if [ $((step % 20)) -eq 0 ]; then
			run_ibdmchk "$fabric_dir/ibdmchk.log" -c old.psl -d opensm-sl2vl.dump
			loops=no
			grep -q "no credit loops found" "$fabric_dir/ibdmchk.log" || loops=loop
		fi
		echo "$step,$row,$loops" >>"$rows"
		case $row,$loops in *,yes,*,loop) bad=1 ;; *,yes,*) ;; *) bad=1 ;; esac
	done
	sm_stop
	fabric_stop
	mv "$rows" "$folder/$name.csv" || fail "cannot write $folder"
	rows=$folder/$name.csv
	echo "$name: $(awk -F, 'NR > 4 { n++; safe += $11 == "yes"; told += $10 > 0; pairs += $10 }
		END { print n " changes, " safe " safe, " told + 0 " with pairs told to reconnect, " pairs + 0 " in all" }' "$rows")"
	[ $bad -eq 0 ] || fail "$name: not safe"
}

one dragonfly dragonfly:p=2,a=4,h=2 --shuffle 31
one dragonfly-damaged-1 dragonfly:p=2,a=4,h=2 --damage 5%,2%,1 --shuffle 32
one dragonfly-damaged-2 dragonfly:p=2,a=4,h=2 --damage 0,6%,2 --shuffle 33
one flatfly flatfly:k=4x4,c=2 --shuffle 34
one torus torus:k=5x5x3,c=1 --shuffle 35
one random random:n=24,d=6,c=2 --shuffle 36
echo ok
