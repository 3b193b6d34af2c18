# Debian packages that Odonata needs, and a function that installs those that are missing.
# Sourced by ./check and ./demo.

ODONATA_BUILD_PACKAGES="gcc cmake ninja-build pkg-config libc6-dev librandom123-dev
 libjansson-dev libcyaml-dev libyaml-dev libopensm-dev libibumad-dev libibmad-dev
 libibnetdisc-dev libibverbs-dev rdma-core node-d3"
ODONATA_DEMO_PACKAGES="libcmocka-dev libglpk-dev opensm ibsim-utils infiniband-diags ibutils gnuplot-nox"
ODONATA_TEST_PACKAGES="$ODONATA_DEMO_PACKAGES openmpi-bin libopenmpi-dev zsh g++ locales"
# ./check --slow: tests/build/slow_packages.sh, tests/report/slow_browser.sh, tests/build/slow_analysis.sh, and
# tests/plugin/slow_releases.sh, which builds OpenSM
ODONATA_SLOW_PACKAGES="dpkg-dev lintian debootstrap rpm chromium clang-tidy cppcheck
 git autoconf automake libtool flex bison make"

odonata_install() {
	local missing=() package
	for package in "$@"; do
		dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
			missing+=("$package")
	done
	[ ${#missing[@]} -eq 0 ] && return 0
	if [ "$(id -u)" -ne 0 ]; then
		echo "These Debian packages are missing. Run this, then start again:" >&2
		echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
		exit 1
	fi
	echo "Installing: ${missing[*]}"
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		"${missing[@]}" >/dev/null
}
