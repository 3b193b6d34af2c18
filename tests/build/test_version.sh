#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The version has one place, include/odonata/base.h, and what is built says it with its commit; a later build sorts
# behind an earlier one, so that packages upgrade (packaging/version.cmake).
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "$@"; failed=1; }

# What is built says the version that the build wrote.
version=$(cat "$build/version.txt")
commit=$(sed -n 's/.*odo_commit.. = "\(.*\)";/\1/p' "$build/version.c")
[ "$("$build/cli/odonata" --version)" = "odonata $version, commit $commit" ] || fail "odonata --version"
"$build/cli/odonata" emulate hypercube:n=3 --cycles 20 --warmup 10 --json >"$work/json"
grep -qF "\"version\": \"$version\"" "$work/json" || fail "emulate --json has not version $version"
"$build/cli/odonata-manual" man map >"$work/page" # a pipe that `head` closes early would end it by a signal
head -n 1 "$work/page" | grep -qF "\"Odonata $version\"" || fail "manual page"
for library in api/libodonata-api.so.0 plugin/libodonata.so; do
	[ ! -e "$build/$library" ] || grep -qF "$version" "$build/$library" || fail "$library has not version $version"
done

# Nothing else has the number: not in a file that builds or packs.
release=$(sed -n 's/^#define ODONATA_VERSION "\(.*\)"/\1/p' "$ODONATA_SOURCE/include/odonata/base.h")
[[ $version = "$release"* ]] || fail "version $version of release $release"
! (cd "$ODONATA_SOURCE" && grep -rnF "$release" CMakeLists.txt */CMakeLists.txt packaging api cli plugin base | grep -v "+git") >"$work/twice" ||
	{ fail "the version has another place:"; cat "$work/twice"; }

# In a repository of two commits: order, tag, archive, changes.
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
mkdir -p "$work/git/packaging" "$work/git/include/odonata"
cd "$work/git"
cp "$ODONATA_SOURCE/packaging/version.cmake" packaging/
printf '$Format:%%H %%ct %%D$\n' >packaging/commit.txt
cp "$ODONATA_SOURCE/include/odonata/base.h" include/odonata/
echo 'packaging/commit.txt export-subst' >.gitattributes
cmp -s packaging/commit.txt "$ODONATA_SOURCE/packaging/commit.txt" ||
	grep -qE '^[0-9a-f]{40} [0-9]+ ' "$ODONATA_SOURCE/packaging/commit.txt" || fail "packaging/commit.txt"
say() { cmake -P "${1:-.}/packaging/version.cmake"; }
[ "$(say)" = "$release" ] || fail "without git: $(say)"
git init -q .
git add .
GIT_COMMITTER_DATE='2026-01-02T03:04:05Z' git commit -qm first
first=$(say)
[ "$first" = "$release+git20260102030405.$(git rev-parse HEAD | cut -c 1-10)" ] || fail "a commit is $first"
cmake -DTO="$work/git" -P packaging/version.cmake
touch -d '2020-01-01' version.c
cmake -DTO="$work/git" -P packaging/version.cmake
[ "$(date -r version.c +%Y)" = 2020 ] || fail "the same version is written twice"
rm version.c version.txt
GIT_COMMITTER_DATE='2026-01-02T03:04:06Z' git commit -q --allow-empty -m second
second=$(say)
git archive --prefix=archive/ HEAD | tar -x -C "$work"
[ "$(say "$work/archive")" = "$second" ] || fail "an archive is $(say "$work/archive"), its commit $second"
mkdir -p outer && cp -r packaging include outer/ # in the repository of something else
[ "$(say outer)" = "$release" ] || fail "inside another repository: $(say outer)"
rm -r outer
git tag "v$release"
[ "$(say)" = "$release" ] || fail "the tagged commit is $(say)"
echo >>include/odonata/base.h
[ "$(say)" = "$second.changed" ] || fail "with changes it is $(say)"

next=$(sed 's/.*/&.1/' <<<"$release") # any later release
in_order=("$release" "$first" "$second" "$second.changed" "$next")
printf '%s\n' "${in_order[@]}" | sort -V -c || fail "not in order: ${in_order[*]}"
for ((i = 1; i < ${#in_order[@]}; i++)); do
	! command -v dpkg >/dev/null || dpkg --compare-versions "${in_order[i - 1]}" lt "${in_order[i]}" ||
		fail "dpkg: ${in_order[i]} does not upgrade ${in_order[i - 1]}"
	! command -v rpm >/dev/null ||
		[ "$(rpm --eval "%{lua:print(rpm.vercmp('${in_order[i - 1]}', '${in_order[i]}'))}")" = -1 ] ||
		fail "rpm: ${in_order[i]} does not upgrade ${in_order[i - 1]}"
done
exit $failed
