#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Check multicast tables by the certificate of unicast, with nothing of Odonata included:

    check_multicast.py CERTIFICATE LST MCFDBS [SL2VL]

MCFDBS is OpenSM's dump opensm.mcfdbs, or what `ibroute -M` prints of each switch. A packet is followed from each
end of a group: it must reach every other end once, and use channels in the order of the certificate, as unicast
does (check_certificate.c): then no packets wait for each other in a cycle, of whichever sort they are.
Answers: "yes" (exit code 0), "no" (1), "cannot check" (2).
"""
import re
import sys


def say(code, text):
    print(text)
    sys.exit(code)


def read_certificate(path):
    switches, place, sls = [], {}, 0
    for line in open(path):
        word = line.split()
        if word[:1] == ["switch"]:
            switches.append(int(word[1], 16))
        elif word[:1] == ["channel"]:
            place[switches[int(word[1])], int(word[2]), int(word[3])] = len(place) + 1
        elif word[:1] == ["multicast"]:
            sls = int(word[1], 16)
    if not sls:
        say(2, "cannot check: the certificate says nothing of multicast")
    return place, [sl for sl in range(16) if sls >> sl & 1]


END = r"\{ (\w+)\S* Ports:\S+ SystemGUID:\S+ NodeGUID:(\S+) PortGUID:\S+ \S+ \S+ \S+ \{([^}]*)\} LID:\S+ PN:(\S+) \} "


def read_cables(path):
    """Ends at (switch, port): a (switch, port), or None for a host."""
    peer, form = {}, re.compile(END + END + r"PHY=\S+ LOG=\S+ SPD=[^ }]+$")
    for line in open(path, errors="replace"):
        if not (found := form.match(line)):
            say(2, "cannot check: expected a cable, found " + line)
        ends = [(found[i] == "SW", int(found[i + 1], 16), int(found[i + 3], 16)) for i in (1, 5)]
        for (is_switch, guid, port), (far_is_switch, far, far_port) in (ends, ends[::-1]):
            if is_switch:
                peer[guid, port] = (far, far_port) if far_is_switch else None
                peer[guid, 0] = None
    return peer


def read_groups(path):
    groups, now = {}, None
    for line in open(path, errors="replace"):
        if found := re.match(r"(?:Switch |Multicast mlids .* guid )0x([0-9a-f]+)", line):
            now = int(found[1], 16)
        elif found := re.match(r"0x([0-9A-Fa-f]{4}) :((?: +0x[0-9A-Fa-f]+)+) *$", line):
            groups.setdefault(int(found[1], 16), set()).update((now, int(p, 16)) for p in found[2].split())
        elif found := re.match(r"0x([0-9a-f]{4}) {6}([ x]+)$", line):
            groups.setdefault(int(found[1], 16), set()).update(
                (now, p) for p in range(256) if found[2][2 * p:2 * p + 1] == "x")
    return groups


def read_maps(path):
    maps, now = {}, None
    for line in open(path, errors="replace"):
        if found := re.match(r"(Switch|Channel).*? 0x([0-9a-f]+)", line):
            now = int(found[2], 16) if found[1] == "Switch" else None
        elif (found := re.match(r"(\d+) +(\d+) +:((?: +\d+){16})", line)) and now is not None:
            maps[now, int(found[1]), int(found[2])] = [int(vl) for vl in found[3].split()]
    return maps


def vl_of(maps, switch, port_in, port_out, sl):
    if maps is None:
        return 0
    return maps.get((switch, port_in, port_out), [15] * 16)[sl]


def flood(mlid, ports, peer, maps, place, start, sl, most):
    """Ends that a packet reaches, a list: one that it reaches twice is there twice. It ends above `most`."""
    reached, waiting = [], [(start, -1)]
    while waiting and len(reached) <= most:
        (switch, port_in), last = waiting.pop()
        for port in ports.get(switch, ()):
            if port == port_in or (switch, port) not in peer:
                continue
            far = peer[switch, port]
            vl = vl_of(maps, switch, port_in, port, sl) if port else 0
            at = place.get((switch, port, vl), 0)
            if vl == 15 or (far and at <= last):
                say(1, "no: MLID 0x%x, SL %d: switch 0x%x, port %d, VL %d is not in the order" %
                    (mlid, sl, switch, port, vl))
            if far:
                waiting.append((far, at))
            else:
                reached.append((switch, port))
    return reached


def main(certificate, lst, mcfdbs, sl2vl=None):
    place, sls = read_certificate(certificate)
    peer, groups = read_cables(lst), read_groups(mcfdbs)
    maps, n = read_maps(sl2vl) if sl2vl else None, 0
    for mlid, on in sorted(groups.items()):
        ends = sorted(end for end in on if end in peer and peer[end] is None)
        ports = {}
        for switch, port in on:
            ports.setdefault(switch, []).append(port)
        for start in ends:
            for sl in sls:
                reached = flood(mlid, ports, peer, maps, place, start, sl, len(ends))
                n += len(reached)
                if sorted(reached + [start]) != ends:
                    say(1, "no: MLID 0x%x, SL %d: from switch 0x%x, port %d, %d packets arrive at %d of %d "
                        "other ends" % (mlid, sl, *start, len(reached), len(set(reached)), len(ends) - 1))
    say(0, "yes: %d groups, %d ends reached in the order of channels, with SLs %s and %s SL2VL maps; not judged: "
        "who should be a member" % (len(groups), n, ",".join(map(str, sls)), "these" if maps else "any"))


if __name__ == "__main__":
    if not 4 <= len(sys.argv) <= 5:
        say(2, "cannot check: expected CERTIFICATE LST MCFDBS [SL2VL]")
    main(*sys.argv[1:])
