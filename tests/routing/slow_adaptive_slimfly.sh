# Every engine on paper 004's Slim Fly x FlatFly, whole and damaged (prove.sh). Cut short, it goes on
# where it was.
exec bash "$(dirname "$0")/prove.sh" "$1" "$1/proofs-slimfly.txt" paper-slimfly-1
