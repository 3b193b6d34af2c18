#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reading a subnet that answers slowly tells on a terminal how far it is, and the time left. ibsim is held most
# of the time, so that path records take longer than five seconds.
export ODONATA_BUILD=$1
. "$ODONATA_SOURCE/tests/plugin/fabric.sh"
"$ODONATA_BUILD/cli/odonata" generate torus:k=6x6,c=2 -o "$FABRIC/net" || fail "no fabric"
fabric_start slow "$FABRIC/net"
sm_start
sm_wait_up 1
in_fabric_seconds=200
in_fabric python3 - "$ODONATA_BUILD/cli/odonata" "${fabric_pids[0]}" <<'END' || fail "the time left is not told"
import os, pty, re, signal, subprocess, sys, threading, time

program, ibsim = sys.argv[1], int(sys.argv[2])
wanted = r"\rpath records: [0-9]+ of [0-9]+, [0-9]+ s left"
over = threading.Event()

def hold():
    while not over.is_set():
        os.kill(ibsim, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(ibsim, signal.SIGCONT)
        time.sleep(0.005)

here, there = pty.openpty()
child = subprocess.Popen([program, "verify", "live"], stdout=subprocess.DEVNULL, stderr=there)
os.close(there)
holder = threading.Thread(target=hold)
holder.start()
told = ""
while not re.search(wanted, told):
    try:
        told += os.read(here, 1000).decode()
    except OSError:
        break
over.set()
holder.join()
child.terminate()
child.wait()
print(repr(told))
sys.exit(0 if re.search(wanted, told) else 1)
END
