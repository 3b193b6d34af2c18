# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands whose allocations fail, with fabrics small enough to run each some thousand times.
# Not `status`: the JSON library calls a failed allocation a mistake in the file (exit code 3).

each_command() { # STEP
	outputs=(cables.csv)
	echo 'gbps: 2' >prices.yaml
	no_memory "$1" odonata plan --hosts 4 --radix 4 --prices prices.yaml --cabling cables.csv
	outputs=()
	no_memory "$1" odonata generate flatfly:k=2x2,c=1 --damage 10%,20% --shuffle 1
	no_memory "$1" odonata map dragonfly:p=1,a=2,h=1
	no_memory "$1" odonata map slimfly:q=5,c=1 --damage 3%,3%
	no_memory "$1" odonata route flatfly:k=2x2,c=1
	no_memory "$1" odonata route random:n=6,d=3,c=1 --engine layered
	no_memory "$1" odonata route fattree:k=4,levels=2
	no_memory "$1" odonata export dragonfly:p=1,a=2,h=1 --format json
	no_memory "$1" odonata verify flatfly:k=2x2,c=1
	no_memory "$1" odonata analyze flatfly:k=2x2,c=1
	two_planes
	outputs=(plan)
	no_memory "$1" odonata map plane0.net plane1.net --save-plan plan
	outputs=()
	no_memory "$1" odonata verify planes.net
	no_memory "$1" odonata map planes.net --adapters rail:0
	no_memory "$1" odonata emulate planes.net --load 0.1 --threads 1 --warmup 100 --cycles 400
	no_memory "$1" odonata compare flatfly:k=2x2,c=1 --engines dor,updown --permutations 2
	no_memory "$1" odonata diff flatfly:k=2x2,c=1 flatfly:k=2x2,c=1
	no_memory "$1" odonata whatif flatfly:k=2x2,c=1 --threads 1
	no_memory "$1" odonata transition flatfly:k=2x2,c=1 --threads 1
	SOURCE_DATE_EPOCH=1 no_memory "$1" odonata report flatfly:k=2x2,c=1 --whatif=2 --threads 1
	no_memory "$1" odonata watch flatfly:k=2x2,c=1 --count 1
	no_memory "$1" odonata emulate flatfly:k=3x3,c=1 --workload alltoall --threads 1 --cycles 3000
	no_memory "$1" odonata emulate flatfly:k=2x2,c=1 --workload alltoall --json --threads 1 --cycles 3000
	small_experiment >small.yaml
	outputs=(small.csv small.gp small.md)
	no_memory "$1" odonata experiment small.yaml
	outputs=()
	small_manifest >papers.yaml
	no_memory "$1" odonata reproduce --manifest papers.yaml --list
	no_memory "$1" odonata reproduce --manifest papers.yaml --check
	outputs=(papers.html)
	no_memory "$1" odonata reproduce --manifest papers.yaml --html papers.html
	outputs=()
}

# Two subnets with equal LIDs, as files of their own and as one.
two_planes() {
	odonata generate flatfly:k=2x2,c=1 | sed 's/"\(H[0-9_]*\)"/"\1 mlx5_0"/g' >plane0.net
	sed 's/mlx5_0/mlx5_1/g; s/"S/"T/g; s/d0a0000/d0b0000/g' plane0.net >plane1.net
	cat plane0.net plane1.net >planes.net
}

small_manifest() {
	cat <<-'END'
		papers:
		  - {number: "001", title: A paper, authors: Somebody}
		figures:
		  - name: small
		    paper: "001"
		    figure: Figure 1
		    title: A test
		    config: small.yaml
		    results: small.csv
		    pictures: [small.gp]
		    claims:
		      - {says: all, where: here, figure: accepted, of: {curve: MIN, pattern: uniform}, paper: "0.5"}
	END
}

small_experiment() {
	cat <<-'END'
		name: small
		title: A test
		fabric: dragonfly:p=1,a=2,h=1
		measure: load
		patterns: [uniform]
		loads: [0.5]
		warmup: 50
		measured: 100
		curves:
		  - {name: MIN, routing: min}
	END
}
