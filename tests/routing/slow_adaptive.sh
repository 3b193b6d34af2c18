# Every engine on the reference systems of paper 004, whole and damaged: its tables are proved, or it
# declines for want of VLs (prove.sh). What comes out is kept in docs/results/routing. Some ten minutes
# on two processors: run by hand, or with ctest -C slow -L slow; cut short, it goes on where it was.
build=$1
exec bash "$(dirname "$0")/prove.sh" "$build" "$build/proofs.txt"
