# What a guide says to do on a real fabric, done on an emulated one, as root of a Debian that is thrown away.
# Source this, then
#
#   as_real PAGE     the commands of its blocks ```console fabric, in order; 1 if one of them fails
#
# An ibsim that runs stands for the fabric, and a systemctl of ours starts opensm as Debian's service does: a first
# one routes before the page begins. grep and odonata
# say no by an exit code of 1; above that is failure.
real_preload=$(ls /usr/lib/*/umad2sim/libumad2sim.so)

cat >/usr/local/bin/systemctl <<END
#!/bin/sh
# restart opensm; what follows on the page is typed once it is up
[ "\$*" = "restart opensm" ] || exit 2
log=/var/log/opensm.0x1.log
if [ -s /run/opensm.pid ]; then
	kill "\$(cat /run/opensm.pid)"
	while kill -0 "\$(cat /run/opensm.pid)" 2>/dev/null; do sleep 0.2; done
fi
rm -f \$log
first=
[ -e /etc/opensm/opensm.conf ] || first="-F /run/first.conf"
OSM_CACHE_DIR=/run LD_PRELOAD=$real_preload setsid opensm \$first --log_file \$log >/run/opensm.out 2>&1 &
echo \$! >/run/opensm.pid
exec timeout 60 sh -c "until grep -qs 'SUBNET UP' \$log; do sleep 0.2; done"
END
chmod +x /usr/local/bin/systemctl
echo "force_log_flush TRUE" >/run/first.conf # else nobody sees when it is up

as_real() (
	failed=0
	systemctl restart opensm || { echo "$1: no opensm"; failed=1; }
	awk '/^```console fabric/ { on = 1; next } /^```/ { on = 0 } on && /^# / { print substr($0, 3) }' \
		"$ODONATA_SOURCE/$1" >/run/commands
	[ -s /run/commands ] || { echo "$1: no commands"; failed=1; }
	while IFS= read -r command <&9; do
		preload=
		case $command in odonata*) preload=$real_preload ;; esac
		LD_PRELOAD=$preload bash -c "$command" >/run/said 2>&1 </dev/null
		code=$?
		[ $code -le 1 ] && continue
		echo "$1: # $command: $code"
		tail -n 20 /run/said
		failed=1
	done 9</run/commands
	exit $failed
)
