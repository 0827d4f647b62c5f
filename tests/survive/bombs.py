"""Small files that ask for much, for every parser there is; run by ``bounded``, it says what became of each."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import zipfile
import zlib
from collections.abc import Callable

from docgraph.orchestration.questions import read_questions
from docgraph.plugins.stores import memory
from tests.integration.hostile_files import FILES, _read
from tests.survive.mutations import GOOD
from tests.survive.workspaces import opened

LARGEST = 20_000_000
"""Bytes of the largest file that is tried: no smaller one takes more than the limits either."""


def _zip(*entries: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return made.getvalue()


def _nested_zip() -> bytes:
    data = _zip(("a.md", b"x" * 1_000_000))
    for _ in range(8):
        data = _zip(*[(f"{n}.zip", data) for n in range(8)])
    return data


def _pdf(stream: bytes, filters: str = "/FlateDecode") -> bytes:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        b"<</Length %d/Filter %s>>stream\n%s\nendstream" % (len(stream), filters.encode(), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"".join(b"%d 0 obj%sendobj\n" % (n, text) for n, text in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"


def _pdf_tree() -> bytes:
    kids = b" ".join([b"2 0 R"] * 50)
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids["
        + kids
        + b"]/Count 9999999>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
    )


def graph(*, nodes: int, edges: int = 0) -> bytes:
    """GraphML of nodes without anything, and of edges from the first of them to nobody."""
    head = b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    inside = b"".join(b'<node id="%d"/>' % n for n in range(nodes))
    return head + inside + b'<edge source="0" target="x"/>' * edges + b"</graph></graphml>"


def _keys() -> bytes:
    """Five hundred attributes that every node has by default."""
    keys = b"".join(
        b'<key id="d%d" for="node" attr.name="a%d" attr.type="string"><default>x</default></key>' % (n, n)
        for n in range(500)
    )
    return graph(nodes=2_000).replace(b"<graph edge", keys + b"<graph edge")


def _packed(method: int) -> bytes:
    """A zip of small entries that expand slowly."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for n in range(10):
            archive.writestr(f"{n}.md", b"a" * 1_000_000)
    return made.getvalue()


def _links() -> bytes:
    """A tar of links."""
    link = tarfile.TarInfo("a.md")
    link.type, link.linkname = tarfile.SYMTYPE, "a"
    return gzip.compress(link.tobuf() * 190_000, compresslevel=1)


MADE: dict[str, Callable[[], bytes]] = {
    "zeros.zip": lambda: _zip(("a.md", b"\x00" * 90_000_000)),
    "letters.zip": lambda: _zip(*[(f"{n}.md", b"a " * 3_000_000) for n in range(40)]),
    "nested.zip": _nested_zip,
    "many.zip": lambda: _zip(*[(f"{n}.md", b"") for n in range(30_000)]),
    "packed.md": lambda: gzip.compress(b"a" * 100_000_000),
    "packed.jsonl": lambda: gzip.compress(b'{"id": 1}\n' * 9_000_000),
    "stream.pdf": lambda: _pdf(zlib.compress(b"(" * 200_000_000)),
    "twice.pdf": lambda: _pdf(zlib.compress(zlib.compress(b"0" * 200_000_000)), "[/FlateDecode/FlateDecode]"),
    "text.pdf": lambda: _pdf(zlib.compress(b"BT /F 9 Tf " + b"(a) Tj " * 3_000_000 + b"ET")),
    "tree.pdf": _pdf_tree,
    "arrays.pdf": lambda: b"%PDF-1.4\n1 0 obj" + b"[" * 4_000_000,
    "nodes.graphml": lambda: graph(nodes=400_000),
    "edges.graphml": lambda: graph(nodes=1, edges=300_000),
    "keys.graphml": _keys,
    "graphs.graphml": lambda: graph(nodes=1).replace(b"</graph>", b"</graph><graph>" * 150_000 + b"</graph>"),
    "tags.reqif": lambda: b"<REQ-IF>" + b"<a/>" * 1_900_000 + b"</REQ-IF>",
    "levels.reqif": lambda: b"<REQ-IF>" + b"<SPECIFICATION>" * 900_000,
    "nodes.json": lambda: json.dumps({"nodes": [{"id": n} for n in range(400_000)], "links": []}).encode(),
    "paths.json": lambda: json.dumps(
        {"openapi": "3.0.0", "paths": {f"/{n}": {"get": {}} for n in range(300_000)}}
    ).encode(),
    "bz2.zip": lambda: _packed(zipfile.ZIP_BZIP2),
    "lzma.zip": lambda: _packed(zipfile.ZIP_LZMA),
    "links.tgz": _links,
    "stars.adoc": lambda: b"*_" * 99_000,
    "star_lines.adoc": lambda: (b"*_" * 1_900 + b"\n") * 1_000,
    "emphasis.md": lambda: b"*a_" * 300_000,
    "links.md": lambda: b"[a](" * 200_000,
    "brackets_open.md": lambda: b"[" * 900_000,
    "images.md": lambda: b"![" * 400_000,
    "backticks.md": lambda: b"".join(b"`" * n + b" " for n in range(1, 1_300)),
    "html_open.md": lambda: b"<a href='" * 100_000,
    "comments.md": lambda: b"<!--" * 200_000,
    "table.md": lambda: b"|" * 190_000 + b"\n" + b"|-" * 90_000 + b"\n" + b"|a\n" * 5_000,
    "references.md": lambda: b"".join(b"[a%d]: x\n" % n for n in range(150_000)),
    "wiki_lines.md": lambda: b"[[c]]\n" * 330_000,
    "link_lines.md": lambda: b"".join(b"[a](%d.md)\n" % n for n in range(140_000)),
    "lines.md": lambda: b"[[a]]\n" + b"a\n" * 900_000,
    "blank_lines.md": lambda: b"[[a]]\n" + b"\n" * 1_900_000 + b"a",
    "items.md": lambda: b"[[a]]\n" + b"- a\n" * 490_000,
    "bracket_lines.md": lambda: b"[a]\n" * 500_000,
    "code_links.md": lambda: b"```\n" + b"".join(b"[[%d]]\n" % n for n in range(200_000)) + b"```\n",
    "code_spans.md": lambda: b"".join(b"`[[%d]]` " % n for n in range(150_000)).replace(b"00]]` ", b"00]]`\n"),
    "links_a_line.md": lambda: (b"[a](b.md) " * 15_000 + b"\n") * 13,
    "roles_a_line.rst": lambda: (b":pep:`8` " * 15_000 + b"\n") * 13,
    "names.rst": lambda: b"`c <c.md>`_\n" * 160_000,
    "names_of_peps.txt": lambda: b"PEP 8\n" * 660_000,
    "hrefs.html": lambda: b"<a href=x>a</a>" * 29_000,
    "wiki.md": lambda: (b"[[" * 500 + b"\n") * 1_500,
    "entities.html": lambda: b"&lt;" * 1_000_000,
    "tables.html": lambda: b"<table><tr><td>" * 100_000,
    "open.html": lambda: b"<" * 4_000_000,
    "attributes_open.html": lambda: b"<a " + b'a="' * 900_000,
    "sections.rst": lambda: b"".join(b"T%d\n=====\n\n" % n for n in range(150_000)),
    "roles.rst": lambda: (b":pep:`" * 1_000 + b"\n") * 500,
    "quotes.rst": lambda: b"".join(b" " * n + b"a\n\n" for n in range(1, 900)),
    "numbers.jsonl": lambda: b'{"id": "a", "text": "t", "m": ' + b"9" * 4_000_000 + b"}\n",
    "lines.jsonl": lambda: b"{}\n" * 6_000_000,
    "lines.questions": lambda: b"{}\n" * 6_000_000,
    "many.questions": lambda: b"".join(b'{"query": "%d"}\n' % n for n in range(1_000_000)),
    "numbers.plan": lambda: b'{"schema_version": ' + b"9" * 1_900_000 + b"}",
    "keys.toml": lambda: b"".join(b"k%d = 1\n" % n for n in range(900_000)),
    "strings.toml": lambda: b'a = """' + b'"' * 1_000_000,
    "quotes.csv": lambda: b'from,type,to\n"' + b'""' * 9_000_000,
    "rows.csv": lambda: b"from,type,to\n" + b"a,b,c\n" * 3_000_000,
    "others.csv": lambda: b"from,type,to\n" + b"".join(b"a,b,%d\n" % n for n in range(1_700_000)),
    "same.csv": lambda: b"edge,state\n" + b"".join(b"a|b|%d,x\n" % n for n in range(1_400_000)),
    "empty.csv": lambda: b"from,type,to\n" + b"\n" * 19_000_000,
    "bad.csv": lambda: b"from,type,to\n" + b",,c\n" * 4_000_000,
    "others.edges": lambda: b"".join(b'{"from":"a","type":"b","to":"%d"}\n' % n for n in range(500_000)),
    "history.edges": lambda: b'{"kind":"history"}\n' * 1_040_000,
    "not.edges": lambda: b'{"from":1}\n' * 1_800_000,
    "lines.txt": lambda: b"\n" * LARGEST,
    "words.txt": lambda: b"a " * (LARGEST // 2),
    "marks.txt": lambda: "e\u0301\u0302".encode() * 800_000,
}
NAMES = (*FILES, *MADE)


def grown(seed: str) -> tuple[str, bytes]:
    """A piece of a good file, or of a bomb, repeated until the file is as large as files may be."""
    rng = random.Random(seed)
    name = rng.choice(sorted(GOOD))
    text = GOOD[name].encode()
    start = rng.randrange(len(text))
    piece = text[start : start + rng.choice([1, 2, 3, 5, 9, 40])]
    size = rng.choice([100_000, 1_000_000, 4_000_000, LARGEST])
    head = text[: rng.choice([0, start])]
    return name, head + piece * (size // len(piece)) + text[rng.choice([start, len(text)]) :]


def warm_up() -> None:
    """Load what every format imports: that is no part of what a file takes."""
    with opened(memory.build()) as dg:
        dg.ingest_files([(name, text.encode()) for name, text in GOOD.items()])


def read(item: str) -> str:
    """``read`` or ``refused``, with why; the item is a file's name, or ``seed:`` and a seed."""
    if item.startswith("seed:"):
        return imported(*grown(item))
    if item in FILES:
        return _read(item, FILES[item]().encode())
    return imported(item, MADE[item]())


def imported(name: str, data: bytes) -> str:
    """What an import, or the reader of such files, said."""
    assert len(data) <= LARGEST, f"{name} has {len(data):,} bytes"
    if name.endswith((".plan", ".toml")):
        return _read(name, data)
    if name.endswith(".questions"):
        return repr(len(read_questions(data).requests))
    with opened(memory.build()) as dg:
        if name.endswith((".csv", ".edges")):
            dg.create_workspace("w")
            diff = dg.relationships.read_file(data, name=name)
            return repr((diff.n_rows, diff.n_errors, diff.errors[-1:]))
        report = dg.ingest_files([(name, data)], dry_run=True)
    return json.dumps([(outcome.outcome, outcome.reason) for outcome in report.outcomes[:3]])
