#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Parsers without our code for the files that we write, as strict as the programs that read them:

    forms.py FORM FILE...            fails, and says why, if a file is none of that form
    forms.py all LIST                the same for a list of lines: form, file, what it is
    forms.py hostile NET >HOSTILE    the ibsim net with other descriptions, each of them hostile to some form

Whatever the form, a file is UTF-8 without control characters and without letters that turn the direction of text.
"""
import csv
import html.parser
import json
import re
import sys
import xml.etree.ElementTree

HOSTILE = [
    b'a"b\\c', b"x,y;z", b"=1+1", b"+1", b"-1", b"@SUM(A1)", b"<script>alert(1)</script>", b'"', b"'", b"\\", b",",
    b"</script><img src=x onerror=alert(1)>'", b"\x80\xff\xfe", b"\xc0\xaf\xed\xa0\x80", b"a\x01\x1b[31m\x7fb", b"=",
    b"tab\there", b"\xe2\x80\xa8\xe2\x80\xae\xc2\x85", b"$(id)`id`%n%s%d", b'"]; }; graph {"', b"ends\\", b"-", b"@",
    b"SwitchName=evil Switches=all", b"host[1-3],b", b" blank ends ", b"# comment", b"it's", b"a\\n\\r", b"{x} LID:0001",
    b"\xf0\x9f\x98\x80 \xc3\xa9", b"a{b}c|d<e>", b"DEFAULT", b"ALL", b"=cmd|'/c calc'!A1", b"null", b"nan", b"0x1", b"]]>",
    b"odonata: 1 switches, proved", b"--help", b"-oProxyCommand=id", b"a b c d", b"&amp;&lt;", b"*/ //", b"1e999",
]


def hostile(path):
    n = {b"Switch": 0, b"Ca": 0}
    for line in open(path, "rb"):
        if found := re.match(rb"(Switch|Ca)\b", line):
            at = n[found[1]]
            name = HOSTILE[at % len(HOSTILE)] + (b"%d" % at if at >= len(HOSTILE) else b"")
            line = re.sub(rb'# ".*"', lambda _: b'# "' + name + b'"', line)
            n[found[1]] += 1
        sys.stdout.buffer.write(line)


WILD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def read(path):
    text = open(path, "rb").read().decode("utf-8")
    assert not (found := WILD.search(text)), "character %r near %r" % (found[0], text[found.start() - 30:found.end() + 30])
    return text


def is_json(text):
    def no_constant(name):
        raise ValueError(name + " is no JSON")

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), "a key twice"
        return dict(pairs)
    json.loads(text, parse_constant=no_constant, object_pairs_hook=once)


def is_jsonl(text):
    for line in text.splitlines():
        is_json(line)


def is_csv(text):
    rows = list(csv.reader((line for line in text.splitlines() if not line.startswith("#")), strict=True))
    assert rows and len({len(row) for row in rows}) == 1, "rows of several lengths"
    for field in (field for row in rows for field in row):
        if re.match(r"[\s]*[=+\-@]", field):
            float(field) # a number may have a sign; all else is a formula


SAMPLE = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\["\\n])*",?)*\})? (\S+)( -?\d+)?$')


def is_prometheus(text):
    typed, seen = {}, set()
    assert text.endswith("\n"), "the last line has no end"
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in typed and kind in ("counter", "gauge"), line
            typed[name] = kind
        elif line.startswith("# HELP "):
            assert re.match(r"# HELP [a-zA-Z_:][a-zA-Z0-9_:]* [^\n]+$", line), line
        else:
            found = SAMPLE.match(line)
            assert found, line
            float(found[4])
            key = line.rsplit(" ", 1)[0]
            assert key not in seen and re.match(r"[^{ ]+", line)[0] in typed, line
            seen.add(key)


def is_html(text):
    class Reader(html.parser.HTMLParser):
        allowed = ("html head meta title style link body header nav main section h1 h2 h3 p a script noscript div span"
                   " table thead tbody tr th td svg g path circle line text rect ul ol li b i em code pre br").split()

        def handle_starttag(self, tag, attributes):
            assert tag in self.allowed, "<%s>" % tag
            for name, value in attributes:
                assert not name.startswith("on") and "javascript:" not in (value or ""), "%s=%s" % (name, value)
    Reader().feed(text)
    for block in re.findall(r"<script[^>]*json[^>]*>(.*?)</script>", text, re.S):
        is_json(block)


def is_xml(text):
    xml.etree.ElementTree.fromstring(text)


def is_dot(text):
    """Quoted strings, and outside of them nothing but letters, numbers and the signs of the language."""
    rest = re.sub(r'"(?:[^"\\\n]|\\[nlrGNETHL"\\])*"', '""', re.sub(r"//.*", "", text))
    assert re.fullmatch(r'[\w\s{}\[\]=;,.\-"#]*', rest), re.sub(r'[\w\s{}\[\]=;,.\-"#]', "", rest)[:80]
    assert rest.count("{") == rest.count("}") and rest.count("[") == rest.count("]"), "brackets"


WORD = r"[A-Za-z0-9_][A-Za-z0-9_.\-]*"
LIST = r"(?:%s(?:\[[\d,\-]+\])?)(?:,%s(?:\[[\d,\-]+\])?)*" % (WORD, WORD)


def is_slurm(text):
    names = []
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        found = re.fullmatch(r"SwitchName=(%s)(?: (?:Nodes|Switches)=%s)+(?: LinkSpeed=\d+)?" % (WORD, LIST), line)
        assert found and found[1].upper() not in ("DEFAULT", "ALL"), line
        assert not re.search(r"[=,](DEFAULT|ALL)(?=[, ]|$)", line, re.I), line
        names.append(found[1])
    assert names and len(set(names)) == len(names), "a switch twice"


def is_log(text):
    """Lines of OpenSM: each has a date, a thread and a level, so that no name can pose as a line."""
    for line in text.splitlines():
        assert re.match(r"[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \d{6} \[[0-9A-F]+\] 0x[0-9a-f]+ -> ", line), line


def is_text(text):
    pass


def judge(form, path, what):
    try:
        globals()["is_" + form](read(path))
    except (AssertionError, ValueError, csv.Error, SyntaxError, xml.etree.ElementTree.ParseError) as why:
        print("%s: no %s: %s" % (what, form, str(why)[:300]))
        return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "hostile":
        hostile(sys.argv[2])
    elif sys.argv[1] == "all":
        sys.exit(sum([judge(*line.rstrip("\n").split("\t")) for line in open(sys.argv[2])]) > 0)
    else:
        sys.exit(sum([judge(sys.argv[1], path, path) for path in sys.argv[2:]]) > 0)
