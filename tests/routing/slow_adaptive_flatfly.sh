# Every engine on paper 004's flatfly, whole and damaged (prove.sh). Cut short, it goes on where it was.
exec bash "$(dirname "$0")/prove.sh" "$1" "$1/proofs-flatfly.txt" paper-flatfly
