"""D2: profiles, rules, query sets and patches as they must not be: taken whole, or refused in one message."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.boundary.judgments.query_sets import read_query_set
from docgraph.boundary.rules_toml import read_rules, write_rules
from docgraph.domain.graph import Document
from docgraph.domain.imports.record import ImportDiff
from docgraph.errors import DocgraphError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores import memory
from docgraph.views.report.of_imports import as_feed
from tests.survive.mutations import PIECES
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="D2",
    what="profile TOML, rules, query sets of five tools, exchange files, patches, feeds: torn, nested, hostile values",
    rule="taken whole and told, or one message and nothing changed; what is written out reads back as it was",
    n=900,
    short=120,
    case="a file of one kind, torn or filled in one way",
)
PROFILE = b"""version = 1
[documents]
one_per = "folder"
page = "README.md"
sidecars = ["{name}.yaml"]
skip = ["_layouts/"]
exclude = ["drafts/"]
[links]
base = ["https://example.org/*/docs/"]
root = ["/docs/"]
citations = true
[words]
empty = ["n/a"]
[stubs]
values = { status = ["moved"] }
below = 40
[[numbers]]
word = "PEP"
field = "pep"
addresses = ["https://example.org/pep-{number}/"]
"""
RULES = b"""[checks.orphan]
on = false
severity = "info"
[checks.hub.parameters]
most = 40
"""
SETS: dict[str, bytes] = {
    "a.jsonl": b'{"id": "1", "query": "Why?", "relevant": {"a": 2, "b": 1}, "half": "tune", "evidence": "bounded"}\n'
    b'{"query": "How?", "relevant": ["b"], "target": "b"}\n',
    "b.csv": b"id,query,relevant,kind\n1,Why?,a;b,simple\n2,How?,b,hard\n",
    "quepid.csv": b"query,docid,rating\nWhy?,a,3\nWhy?,b,0\nHow?,b,1\n",
    "opensearch.json": b'[{"query": "Why?", "ratings": [{"docId": "a", "rating": "1"}, {"docId": "b", "rating": 0}]}]',
    "ragas.jsonl": b'{"user_input": "Why?", "reference_contexts": ["It is bounded."], "reference": "x"}\n',
}
EXCHANGE: dict[str, bytes] = {
    "r.csv": b"from,type,to\na,explains,b\nb,explains,c\n",
    "r.jsonl": b'{"from": "a", "type": "explains", "to": "b"}\n{"from": "b", "type": "cites", "to": "c"}\n',
    "r.json": b'[{"from": "a", "type": "explains", "to": "b"}]',
}
VALUES = (
    b"-1",
    b"1e400",
    b"nan",
    b"inf",
    b"null",
    b"[]",
    b"{}",
    b'"\\ud800"',
    b'"\\u0000"',
    b"9" * 400,
    b"true",
    b'""',
)
DEEP = tuple(one * 5_000 for one in (b"[", b"{", b'{"a":', b"a.", b"[[", b'"""'))


def torn(rng: random.Random, data: bytes) -> bytes:
    """Cut, doubled, turned, or with one to three pieces that do not belong there."""
    kind = rng.randrange(7)
    place = rng.randrange(len(data) + 1)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[place:] + data[:place]
    if kind == 2:
        return data[:place] + rng.choice(DEEP) + data[place:]
    if kind == 3:
        return data.decode().encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "utf-7")))
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(data) + 1)
        data = data[:place] + rng.choice((*PIECES, *VALUES, rng.randbytes(3))) + data[place + rng.randrange(6) :]
    return data


def _refused(read: Callable[[], object]) -> bool:
    """Whether it ended in one message, which is one line."""
    try:
        read()
    except DocgraphError as error:
        assert error.hint, error
        assert "\n" not in str(error), ascii(str(error)[:300])
        assert len(str(error)) < 2_500
        return True
    return False


def _profile(rng: random.Random, place: Path) -> None:
    data = torn(rng, PROFILE)
    if not _refused(lambda: read_profile(data, name="p.toml")):
        found = read_profile(data, name="p.toml")
        assert read_profile(write_profile(found).encode()) == found


def _rules(rng: random.Random, place: Path) -> None:
    data = torn(rng, RULES)
    if not _refused(lambda: read_rules(data, name="r.toml")):
        found = read_rules(data, name="r.toml")
        assert read_rules(write_rules(found).encode()) == found


def _corpus() -> Docgraph:
    dg = opened(memory.build())
    dg.ingest_records([Document(document_id=i, title=f"Queue {i}", text=f"The queue {i} is bounded.") for i in "abc"])
    return dg


def _query_set(rng: random.Random, place: Path) -> None:
    name = rng.choice(sorted(SETS))
    data = torn(rng, SETS[name])
    if _refused(lambda: read_query_set(data, name=name)):
        return
    found = read_query_set(data, name=name)
    assert found.queries
    assert all(each.reason for each in found.rejected)
    with _corpus() as dg:
        if not _refused(lambda: dg.query_sets.keep(found, name="s")):
            assert dg.query_sets.get("s").query_set.queries == found.queries


def _exchange(rng: random.Random, place: Path) -> None:
    name = rng.choice(sorted(EXCHANGE))
    data = torn(rng, EXCHANGE[name])
    with _corpus() as dg:
        before = b"".join(dg.relationships.export("jsonl", history=True))
        if _refused(lambda: dg.relationships.import_file(data, by="me", name=name)):
            assert b"".join(dg.relationships.export("jsonl", history=True)) == before, "by half"
        else:
            written = b"".join(dg.relationships.export("jsonl"))
            with _corpus() as other:
                other.relationships.import_file(written, by="me", name="x.jsonl")
                assert b"".join(other.relationships.export("jsonl")).count(b"\n") == written.count(b"\n")


HEADS = (
    "---\ntitle: Queue {n}\nexplains: [{to}]\n---\n",
    "---\ntitle: Queue {n}\nexplains:\n  - {to}\n  - c  # why\n---\n",
    "+++\ntitle = \"Queue {n}\"\nexplains = ['{to}']\n+++\n",
    "---\ntitle: Queue {n}\nother: &x [1, {{y: 2}}]\nexplains: {to}\n---\n",
)


def _patch(rng: random.Random, place: Path) -> None:
    """A folder whose sources are torn after the import: the patch applies whole, and touches no file by itself."""
    folder = place / f"p{rng.randrange(10**9)}"
    folder.mkdir()
    for n, to in (("a", "b"), ("b", "c"), ("c", "a")):
        text = rng.choice(HEADS).format(n=n, to=to) + f"# Queue {n}\n\nBounded. See [it]({to}.md).\n"
        (folder / f"{n}.md").write_text(text)
    with opened(memory.build()) as dg:
        dg.ingest(folder)
        edges = [each for each in dg.relationships.list() if each.relation_type == "explains"]
        for edge in edges[: rng.randrange(1, 3)]:
            dg.relationships.edit([{"action": "remove", "key": edge.key}], by="me")
        if rng.random() < 0.7:
            file = folder / f"{rng.choice('abc')}.md"
            file.write_bytes(torn(rng, file.read_bytes()))
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        found = []
        assert not _refused(lambda: found.append(dg.relationships.patch(folder)))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "a source was written"
    (patch,) = found
    assert all(each.reason for each in patch.left)
    diff = "".join(each.diff for each in patch.files)
    if diff and all(each.encoding == "utf-8" for each in patch.files):
        done = subprocess.run(
            ["git", "apply", "--check", "-"], cwd=folder, input=diff.encode(), capture_output=True, check=False
        )
        assert not done.returncode, done.stderr.decode()[:300]


def _feed(rng: random.Random, place: Path) -> None:
    """Two imports of hostile titles: the feed is XML of as many entries, and nothing in it is markup of theirs."""
    titles = [torn(rng, b"<entry><title>T</title></entry>&amp;]]>").decode("utf-8", "replace")[:300] for _ in range(3)]
    with opened(memory.build()) as dg:
        for text in ("one", "two"):
            folder = place / f"f{rng.randrange(10**9)}"
            folder.mkdir()
            for n, title in enumerate(titles):
                (folder / f"{n}.md").write_text(f"---\ntitle: {json.dumps(title)}\n---\n# T {n}\n\n{text}\n")
            dg.ingest(folder)
        diffs: tuple[ImportDiff, ...] = tuple(dg.imports.newest_diffs())
        feed = ElementTree.fromstring(as_feed("w", dg.imports.list(), diffs))
    atom = "{http://www.w3.org/2005/Atom}"
    assert len(list(feed.iter(f"{atom}entry"))) == len(diffs)
    assert {each.tag for each in feed.iter()} <= {
        f"{atom}{name}" for name in ("feed", "id", "title", "updated", "entry", "author", "name", "content")
    }


DEEP_TOML = (
    b"x = " + b"[" * 5_000,
    b"x = " + b"{a = " * 5_000,
    b"[" + b"a." * 20_000 + b"a]",
    b"a." * 20_000 + b"a = 1",
)
WORDS = (b'a\\"b', b"c\\\\d", b"\\u0007", b"\\u007f", b"\\u2028", b"e\\nf", b"[x]", b"# y", b"\\U0001F991")


def _staged(tally: Tally, place: Path) -> None:
    """What chance rarely makes: depth that a reader follows to its end, texts of signs, files without a newline."""
    for data in DEEP_TOML:
        with tally.trying(f"TOML as deep as {data[:8]!r}"):
            assert _refused(lambda data=data: read_profile(data, name="p.toml"))  # type: ignore[misc]
            assert _refused(lambda data=data: read_rules(data, name="r.toml"))  # type: ignore[misc]
    for word in WORDS:
        with tally.trying(f"a profile with the word {word!r}"):
            found = read_profile(b'[words]\nempty = ["' + word + b'"]\n', name="p.toml")
            assert read_profile(write_profile(found).encode()) == found
    with tally.trying("a patch of files without a newline at their ends"), opened(memory.build()) as dg:
        (place / "a.md").write_text("---\ntitle: A\nexplains: [b]\n---\n# A")
        (place / "b.md").write_text("# B")
        dg.ingest(place)
        (edge,) = [each for each in dg.relationships.list() if each.relation_type == "explains"]
        dg.relationships.edit([{"action": "remove", "key": edge.key}], by="me")
        (file,) = dg.relationships.patch(place).files
        command = ["git", "apply", "--check", "-"]
        assert not subprocess.run(command, cwd=place, input=file.diff.encode(), check=False).returncode, file.diff


WAYS: dict[str, Callable[[random.Random, Path], None]] = {
    "a profile": _profile,
    "rules": _rules,
    "a query set": _query_set,
    "an exchange file": _exchange,
    "a patch": _patch,
    "a feed": _feed,
}


@pytest.mark.timeout(900)
def test_d2_small_files_are_taken_whole_or_refused_in_one_message(tally: Tally, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        read_profile(b"version = [", name="p.toml")
    ways = list(WAYS.values())
    (tmp_path / "staged").mkdir()
    _staged(tally, tmp_path / "staged")
    for case in tally.cases(tally.n - len(DEEP_TOML) - len(WORDS) - 1):
        with tally.trying(case):
            ways[case.number % len(ways)](case.rng, tmp_path)
