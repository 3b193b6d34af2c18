# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every row of the peers' results beside ours (compare_peers.awk), and how many agree.
#
#   bash tools/compare_peers.sh PEERS [RESULTS]
#
# PEERS has fogsim_h2.csv, fogsim_burst.csv and booksim.csv. RESULTS, docs/results/peers by default, has
# booksim-fattree-rows.csv and what `odonata experiment configs/peers/*.yaml` made, and takes what comes
# out.
set -eu
peers=$1 results=${2:-$(dirname "$0")/../docs/results/peers}
here=$(dirname "$0")

# compare NAME PEER.csv "OURS ..." [-v ...]
compare() {
	name=$1 peer=$peers/$2 ours=
	[ -f "$peer" ] || peer=$results/$2
	for file in $3; do ours="$ours $results/peer-$file.csv"; done
	shift 3
	echo "$name"
	# shellcheck disable=SC2086 # a list of files
	awk -f "$here/csv.awk" -f "$here/compare_peers.awk" "$@" "$peer" $ours >"$results/$name.csv"
}

seeds=$results/fogsim-seeds.csv
compare fogsim-v5 fogsim_h2.csv "fogsim-v5 fogsim-crossbars fogsim-permutation-v5" \
	-v version=v5 -v seeds="$seeds"
compare fogsim-v1 fogsim_h2.csv "fogsim-v1 fogsim-permutation-v1" -v version=v1 -v seeds="$seeds"
compare fogsim-burst-v5 fogsim_burst.csv fogsim-burst -v version=v5
compare fogsim-burst-v1 fogsim_burst.csv fogsim-burst-v1 -v version=v1 \
	-v seeds="$results/fogsim-burst-seeds.csv"
compare booksim-dragonfly booksim.csv booksim-dragonfly -v nodes=72
compare booksim-dragonfly-k4 booksim.csv booksim-dragonfly-k4 -v nodes=1056
compare booksim-flatfly booksim.csv booksim-flatfly -v nodes=64
compare booksim-fattree booksim-fattree-rows.csv booksim-fattree -v nodes=64 -v topology=fattree
