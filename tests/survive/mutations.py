"""Files as they must not be: good ones of every format, torn, mixed and encoded in other ways."""

from __future__ import annotations

import io
import random
import zipfile

GOOD: dict[str, str] = {
    "a.md": "---\nid: a\ntitle: Queue a\ntype: decision\nexplains: [b, c]\n---\n#"
    " Queue a\n\nBounded. See [b](b.md), [[c]].\n",
    "t.md": '+++\nid = "t"\ntitle = "T"\n[extra]\nx = [1, 2]\n+++\n# T\n\n|'
    " a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n",
    "b.rst": "PEP: 1\nTitle: Queue b\nStatus: Final\n\nQueue b\n=======\n\n.."
    " note:: Bounded.\n\nSee :pep:`2` and `c <c.md>`_.\n",
    "c.jsonl": '{"id": "c", "title": "Queue c", "text": "Bounded.", "relationships": '
    '[{"type": "explains", "to": "a"}]}\n'
    '{"id": "d", "text": "Another.", "metadata": {"x": [1, {"y": null}]}}\n',
    "e.html": "<html><head><title>Queue e</title></head><body><h1>Queue e</h1><p>See"
    " <a href='a.md'>a</a>.</p></body></html>",
    "f.txt": "Queue f is bounded.\n\nSo is queue a.\n",
    "g.pdf": "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    "4 0 obj<</Length 33>>stream\nBT /F 9 Tf (Queue g bounded) Tj ET \nendstream endobj\n"
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
}
RELATIONSHIPS: dict[str, str] = {
    "r.csv": "from,type,to\na,explains,b\nb,explains,c\n",
    "r.jsonl": '{"from": "a", "type": "explains", "to": "b"}\n{"from": "b", "type": "cites", "to": "c"}\n',
    "r.json": '[{"from": "a", "type": "explains", "to": "b"}]',
}
"""Exchange files, of which every row is either read or refused with its line."""
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7")
PIECES = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\r",
    b"---\n",
    b"+++\n",
    b"{",
    b"[[",
    b"]]",
    b"<!--",
    b"<script>",
    b"\x1b[31m",
    b"*" * 99,
    b"&x",
    b"!!python/object:os.system ",
    b'"',
    b",",
    b"\xe2\x80\xae",
    b"\t",
    b"#" * 7 + b" ",
    b"> " * 50,
)


def mutated(rng: random.Random, files: dict[str, str] | None = None) -> tuple[str, bytes]:
    """(name, bytes) of one file that was changed in some ways, perhaps into an archive."""
    name = rng.choice(sorted(files or GOOD))
    text = (files or GOOD)[name]
    data = _encoded(rng, text)
    for _ in range(rng.randrange(4)):
        data = _torn(rng, data)
    if files is None and rng.random() < 0.1:
        return _archive(rng, name, data)
    return name, data


def _encoded(rng: random.Random, text: str) -> bytes:
    if rng.random() < 0.3:
        text = text.replace("\n", rng.choice(["\r\n", "\r", "\n\n", "\u2028"]))
    return text.encode(rng.choice(ENCODINGS) if rng.random() < 0.4 else "utf-8", "replace")


def _torn(rng: random.Random, data: bytes) -> bytes:
    place, kind = rng.randrange(len(data) + 1), rng.randrange(6)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + rng.choice(PIECES) * rng.choice([1, 1, 40]) + data[place:]
    if kind == 2:
        return data[:place] + rng.randbytes(rng.randrange(1, 9)) + data[place + rng.randrange(9) :]
    if kind == 3:
        return data[place:] + data[:place]
    if kind == 4:
        return data * rng.randrange(4)
    return data[:place] + rng.choice(sorted(GOOD.values())).encode() + data[place:]


def _archive(rng: random.Random, name: str, data: bytes) -> tuple[str, bytes]:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        archive.writestr(name, data)
        archive.writestr(f"sub/{name}", GOOD[name])
    whole = made.getvalue()
    return "all.zip", _torn(rng, whole) if rng.random() < 0.7 else whole
