"""Decisions as patches of the authors' files: applied by git, read again, and nothing is contested."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from docgraph.errors import IngestionError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.extractors import body_references, front_matter, header_fields, markdown_links, status_lines
from docgraph.plugins.loaders import jsonl, markdown, restructuredtext
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patches")
TARGETS = {f"n-{n}.md": f"---\ntitle: Note {n}\n---\nWords of note {n}.\n".encode() for n in (1, 2, 3, 20)}


def opened() -> Docgraph:
    extractors = (front_matter, header_fields, markdown_links, status_lines, body_references)
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(markdown.build(), restructuredtext.build(), jsonl.build()),
        extractors=tuple(each.build() for each in extractors),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, "test")


def imported(folder: Path, files: Mapping[str, bytes]) -> Docgraph:
    for name, data in {**TARGETS, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    docgraph = opened()
    docgraph.ingest(folder)
    return docgraph


def applied(docgraph: Docgraph, folder: Path) -> None:
    """Apply the patch with git, import again, and find edits and sources agreeing."""
    patch = docgraph.relationships.patch(folder)
    assert patch.n_patched + patch.n_agreed + len(patch.left) == patch.n_edits
    before = [edge.key for edge in docgraph.relationships.list()]
    done = subprocess.run(["git", "apply", "-"], cwd=folder, input=patch.data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    docgraph.ingest(folder)
    assert [edge.key for edge in docgraph.relationships.list()] == before
    left = {key for edit in patch.left for key in (edit.gone, edit.made)}
    assert {each.relationship.key for each in docgraph.session.store().contested()} <= left
    again = docgraph.relationships.patch(folder)
    assert (again.n_patched, again.n_agreed) == (0, patch.n_patched + patch.n_agreed)


REMOVE = {"action": "remove", "key": ("a", "requires", "n-1")}
ADD = {"action": "add", "key": ("a", "requires", "n-3")}
POINT = {"action": "retarget", "key": ("a", "requires", "n-1"), "to_document_id": "n-3"}
RETYPE = {"action": "retype", "key": ("a", "requires", "n-1"), "relation_type": "replaces"}
UNLINK = {"action": "remove", "key": ("a", "links_to", "n-1")}
POINT_LINK = {"action": "retarget", "key": ("a", "links_to", "n-1"), "to_document_id": "n-3"}


def yaml(fields: str, body: str = "Words.") -> str:
    return f"---\ntitle: A\n{fields}---\n{body}\n"


CASES = [
    (yaml("requires: n-1, n-2 # both\nz: 'x'\n"), REMOVE, yaml("requires: n-2 # both\nz: 'x'\n")),
    (yaml("requires: n-2, n-1\n"), REMOVE, yaml("requires: n-2\n")),
    (yaml("requires: n-1\nz:   1\n"), REMOVE, yaml("z:   1\n")),
    (yaml('requires: [ "n-1", n-2 ]\n'), REMOVE, yaml("requires: [ n-2 ]\n")),
    (yaml("requires:\n  - n-1 # old\n  # kept\n  - n-2\n"), REMOVE, yaml("requires:\n  # kept\n  - n-2\n")),
    (yaml("requires:\n- n-1\n- n-2\n"), ADD, yaml("requires:\n- n-1\n- n-2\n- n-3\n")),
    (yaml("requires: [n-1]\n"), ADD, yaml("requires: [n-1, n-3]\n")),
    (yaml("requires: 'n-1'\n"), POINT, yaml("requires: 'n-3'\n")),
    (yaml("requires:\n  - to: n-1\n    note: why\n"), POINT, yaml("requires:\n  - to: n-3\n    note: why\n")),
    (
        yaml("relations:\n  - type: requires\n    to: n-1\n"),
        POINT,
        yaml("relations:\n  - type: requires\n    to: n-3\n"),
    ),
    (yaml("requires: n-1\nreplaces: n-2\n"), RETYPE, yaml("replaces: [n-2, n-1]\n")),
    (yaml("", "See [one](./n-1.md#x) and `[one](./n-1.md)`."), UNLINK, yaml("", "See one and `[one](./n-1.md)`.")),
    (yaml("", "See [one](./n-1.md)."), POINT_LINK, yaml("", "See [one](./n-3.md).")),
    (yaml("", "See [one] .\n\n[one]: n-1.md"), UNLINK, yaml("", "See one .\n")),
    ("+++\ntitle='A' # t\nrequires = ['n-1', \"n-2\"]\n+++\nWords.\n", REMOVE, None),
]


@pytest.mark.parametrize(("text", "edit", "after"), [case for case in CASES if case[1]])
@pytest.mark.parametrize("form", ["lf", "crlf", "bom", "open"])
def test_a_decision_changes_its_own_place_and_nothing_else(
    text: str, edit: dict[str, object], after: str | None, form: str, tmp_path: Path
) -> None:
    def formed(raw: str) -> bytes:
        raw = raw.rstrip("\n") if form == "open" else raw
        data = raw.replace("\n", "\r\n").encode() if form == "crlf" else raw.encode()
        return b"\xef\xbb\xbf" + data if form == "bom" else data

    docgraph = imported(tmp_path, {"a.md": formed(text)})
    docgraph.relationships.edit([edit], by="Ann", new_types=True)
    patch = docgraph.relationships.patch(tmp_path)
    assert (patch.left, patch.n_patched) == ((), 1)
    applied(docgraph, tmp_path)
    if after is not None:
        assert (tmp_path / "a.md").read_bytes().rstrip(b"\r\n") == formed(after).rstrip(b"\r\n")


def test_header_fields_are_changed_in_their_lines(tmp_path: Path) -> None:
    text = "PEP: 9\nTitle: Nine\nRequires: 1,\n          2\nCreated: now\n\nWords.\n"
    peps = {f"pep-000{n}.rst": f"PEP: {n}\nTitle: P{n}\n\nWords {n}.\n".encode() for n in (1, 2, 3)}
    docgraph = imported(tmp_path, {**peps, "pep-0009.rst": text.encode()})
    first = ("pep-0009", "requires", "pep-0001")
    docgraph.relationships.edit(
        [
            {"action": "remove", "key": first},
            {"action": "add", "key": ("pep-0009", "superseded_by", "pep-0003")},
        ],
        by="Ann",
        new_types=True,
    )
    applied(docgraph, tmp_path)
    assert (tmp_path / "pep-0009.rst").read_text() == (
        "PEP: 9\nTitle: Nine\nRequires: 2\nCreated: now\nSuperseded-By: 3\n\nWords.\n"
    )


def test_another_encoding_and_a_name_that_git_quotes(tmp_path: Path) -> None:
    text = yaml("author: Zoë\nrequires: n-1, n-2\n", "Ein schöner Tag für Größe und Mühe, süß und grün.")
    name = 'ä "q" \\ b.md'.replace("\\ ", "")
    docgraph = imported(tmp_path, {name: text.encode("latin-1")})
    edge = next(edge for edge in docgraph.relationships.list(relation_type="requires"))
    docgraph.relationships.remove(edge.key, by="Ann")
    applied(docgraph, tmp_path)
    assert (tmp_path / name).read_bytes() == text.replace("n-1, ", "").encode("latin-1")


def test_what_has_no_place_is_left_with_its_reason(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(yaml("requires: n-1\n"))
    folder = tmp_path / "folder"
    docgraph = imported(
        folder,
        {
            "plain.md": b"No fields here.\n",
            "a.md": yaml("requires: n-1\n").encode(),
            "gone.md": yaml("requires: n-1\n").encode(),
            "s.md": b"# S\n\n## Status\n\nSuperseded by [n](n-1.md)\n",
            "linked.md": yaml("requires: n-1\n").encode(),
        },
    )
    docgraph.relationships.edit(
        [
            {"action": "add", "key": ("plain", "requires", "n-1")},
            REMOVE,
            {"action": "remove", "key": ("gone", "requires", "n-1")},
            {"action": "remove", "key": ("s", "superseded_by", "n-1")},
            {"action": "remove", "key": ("linked", "requires", "n-1")},
        ],
        by="Ann",
        new_types=True,
    )
    (folder / "a.md").write_text(yaml("requires: n-1\n", "Other words."))
    (folder / "gone.md").unlink()
    (folder / "linked.md").unlink()
    (folder / "linked.md").symlink_to(outside)
    patch = docgraph.relationships.patch(folder)
    assert patch.data == b""
    assert [edit.cause for edit in patch.left] == ["no_field", "changed", "no_file", "status_line", "no_file"]
    assert all(edit.reason for edit in patch.left)


def test_a_mention_that_a_link_or_a_field_hid_keeps_no_decision_out_of_the_patch(tmp_path: Path) -> None:
    """The text names the other one as before; it was said to stand where it cannot be changed alone."""
    for n in range(2, 14):
        text = f"---\ntitle: Queue {n} of RFCs\n---\nSee [RFC-{n - 1}](rfc-{n - 1}.md).\n"
        (tmp_path / f"rfc-{n}.md").write_text(text)
    docgraph = opened()
    docgraph.ingest(tmp_path, profile="auto")
    docgraph.relationships.edit([{"action": "remove", "key": ("rfc-12", "links_to", "rfc-11")}], by="Ann")
    patch = docgraph.relationships.patch(tmp_path, profile="auto")
    assert (patch.n_patched, patch.left) == (1, ())
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch.data, check=True)
    assert (tmp_path / "rfc-12.md").read_text().endswith("See RFC-11.\n")
    docgraph.ingest(tmp_path, profile="auto")
    assert [e.key[1:] for e in docgraph.relationships.list(document_id="rfc-12") if e.from_document_id == "rfc-12"] == [
        ("mentions", "rfc-11")
    ]
    assert docgraph.session.store().contested() == ()


def test_what_was_taken_back_is_in_no_patch_and_owners_get_their_own(tmp_path: Path) -> None:
    fields = "requires: n-1, n-2\nauthor: "
    docgraph = imported(
        tmp_path,
        {f"{i}.md": yaml(f"{fields}{who}\n").encode() for i, who in (("a", "Ann"), ("b", "Bo, Cy"), ("c", "D"))},
    )
    for document in "abc":
        docgraph.relationships.remove((document, "requires", "n-1"), by="Eve")
    docgraph.relationships.undo(3, by="Eve")
    patch = docgraph.relationships.patch(tmp_path)
    assert [(file.path, file.owner, file.entries) for file in patch.files] == [
        ("a.md", "Ann", (1,)),
        ("b.md", "Bo", (2,)),
    ]
    assert b"".join(patch.by_owner().values()) == patch.data


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    docgraph = imported(tmp_path, {})
    with pytest.raises(IngestionError, match="is not a folder"):
        docgraph.relationships.patch(tmp_path / "other")


names = st.lists(st.sampled_from(["n-1", "n-2", "n-3", "n-20"]), unique=True, max_size=4)


@st.composite
def written(draw: st.DrawFn) -> str:
    """A field with names in one of the ways in which people write them."""
    given = draw(names)
    way = draw(st.sampled_from(["comma", "flow", "block", "quoted", "noted"]))
    if not given:
        return draw(st.sampled_from(["requires:\n", "requires: []\n", ""]))
    if way == "comma":
        return f"requires: {', '.join(given)}\n"
    if way == "flow":
        return f"requires: [{', '.join(given)}]  # list\n"
    if way == "quoted":
        return "requires:\n" + "".join(f'    - "{name}"\n' for name in given)
    if way == "noted":
        return "requires:\n" + "".join(f"  - to: {name}\n    note: because\n" for name in given)
    return "requires:\n" + "".join(f"- {name}\n" for name in given)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(field=written(), before=st.sampled_from(["", "# first\n", "a: |\n  x: y\n\n"]), data=st.data())
def test_any_front_matter_and_any_decisions_agree_after_the_patch(
    field: str, before: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    text = f"---\n{before}title: A\n{field}z: [1,  2]\n---\nWords.\n"
    docgraph = imported(folder, {"a.md": text.encode()})
    there = {edge.to_document_id for edge in docgraph.relationships.list(relation_type="requires")}
    edits = []
    for name in ("n-1", "n-2", "n-3", "n-20"):
        if data.draw(st.booleans()):
            action = "remove" if name in there else "add"
            edits.append({"action": action, "key": ("a", "requires", name)})
    assume(edits)
    docgraph.relationships.edit(edits, by="Ann", new_types=True)
    assert docgraph.relationships.patch(folder).left == ()
    applied(docgraph, folder)
    now = (folder / "a.md").read_text()
    assert now.startswith(f"---\n{before}title: A\n")
    assert "z: [1,  2]\n" in now
