"""Edits of every kind over real corpora as patches: git takes them, nothing else changes, and sources then agree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.patch import SourcePatch
from docgraph.domain.overrides import EdgeKey
from docgraph.ingestion.profiling.sidecars import SIDECAR
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

DATA = os.environ.get("DOCGRAPH_TEST_DATA")
"""Only where it is asked for: the imports take minutes."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(DATA is None, reason="no test data: set DOCGRAPH_TEST_DATA"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patches"),
]
CORPORA = {
    "eips": ("eips", ("EIPS/eip-[16]*", "LICENSE.md")),
    "keps": ("keps/keps", ("sig-scheduling", "sig-apps", "sig-auth")),
    "peps": ("peps/original", ("pep-0[0-3]*",)),
}
"""Corpus → its folder, and the part of it that is imported, as it lies: front matter, sidecars, header fields."""
EACH = 5
"""Edits of one kind over the relationships of one type that stand in one kind of place."""
LOADERS = ("markdown", "restructuredtext", "html", "text", "yaml", "json", "jsonl")


def opened() -> Docgraph:
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=tuple(plugins.build("loaders", name) for name in LOADERS),
        extractors=tuple(plugins.build("extractors", name) for name in plugins.available("extractors")),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, "test")


def git(folder: Path, *words: str, data: bytes = b"") -> str:
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    called = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "core.autocrlf=false", *words]
    done = subprocess.run(called, cwd=folder, input=data, capture_output=True, check=False, env=alone)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "replace")


def copied(name: str, folder: Path) -> Path:
    """The part of a corpus in a fresh repository."""
    assert DATA is not None
    under, parts = CORPORA[name]
    found = [path for part in parts for path in sorted((Path(DATA) / under).glob(part))]
    for path in found:
        target = folder / Path(under).name / path.relative_to(Path(DATA) / under)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    root = folder / Path(under).name
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "As they lie")
    return root


def spread(items: list[Any], n: int, *, offset: int) -> list[Any]:
    """``n`` of them, as far from each other as they can be; another offset takes others."""
    step = max(1, len(items) // n)
    return items[offset % step :: step][:n]


def decided(docgraph: Docgraph) -> list[Edit]:
    """Edits of every kind: removed, pointed elsewhere, retyped, turned and added, each relationship touched once."""
    documents = {document.document_id: document for document in docgraph.documents.list()}
    edges = sorted(docgraph.relationships.list(), key=lambda edge: edge.key)
    ids, touched, there = sorted(documents), set[EdgeKey](), {edge.key for edge in edges}
    places: dict[tuple[str, str], list[Relationship]] = {}
    for edge in edges:
        if edge.from_document_id in documents:
            beside = SIDECAR in documents[edge.from_document_id].metadata
            where = str(edge.relationship_metadata["place"]) + (" beside" if beside else "")
            places.setdefault((edge.relation_type, where), []).append(edge)
    types = sorted({kind for kind, where in places if not where.startswith("body")})
    edits: list[Edit] = []

    def take(edit: Edit) -> None:
        keys = {edit.key, edit.result} - {None}
        if not keys & touched and (edit.action == "remove" or edit.result not in there) and edit.key[0] != edit.key[2]:
            touched.update(key for key in keys if key is not None)
            edits.append(edit)

    for n, ((kind, _), found) in enumerate(sorted(places.items())):
        other = types[(types.index(kind) + 1) % len(types)] if kind in types else types[0]
        for edge in spread(found, EACH, offset=1):
            take(Edit(action="remove", key=edge.key))
        for m, edge in enumerate(spread(found, EACH, offset=3)):
            take(Edit(action="retarget", key=edge.key, to_document_id=ids[(31 * m + 7 * n) % len(ids)]))
        for edge in spread(found, EACH, offset=5):
            take(Edit(action="retype", key=edge.key, relation_type=other if other != kind else "extends"))
        for edge in spread([edge for edge in found if edge.to_document_id in documents], 2, offset=7):
            take(Edit(action="flip", key=edge.key))
        for m, edge in enumerate(spread(found, EACH, offset=9)):
            target = ids[(53 * m + 11 * n + 5) % len(ids)]
            take(Edit(action="add", key=(edge.from_document_id, other if kind not in types else kind, target)))
    for m, start in enumerate(spread(ids, EACH, offset=2)):
        take(Edit(action="add", key=(start, types[0], ids[(17 * m + 3) % len(ids)])))
    return edits


def contested(docgraph: Docgraph) -> set[EdgeKey]:
    return {each.relationship.key for each in docgraph.session.store().contested()}


def keys(docgraph: Docgraph) -> set[EdgeKey]:
    return {edge.key for edge in docgraph.relationships.list()}


@pytest.mark.parametrize("name", CORPORA)
def test_after_the_patch_of_any_edits_a_corpus_states_what_was_decided(name: str, tmp_path: Path) -> None:
    root = copied(name, tmp_path)
    docgraph = opened()
    docgraph.ingest(root, profile="auto")
    edits = decided(docgraph)
    kinds = Counter(edit.action for edit in edits)
    assert set(kinds) == {"add", "remove", "retype", "retarget", "flip"}
    assert len(edits) >= 36
    docgraph.relationships.edit(edits, by="Ann", new_types=True)
    wanted = keys(docgraph)

    patch = docgraph.relationships.patch(root, profile="auto")
    assert patch.n_edits == len(edits)
    assert patch.n_patched + patch.n_agreed + len(patch.left) == patch.n_edits
    report = f"{name}: {kinds} {patch.n_patched} patched, {len(patch.files)} files\n"
    report += "".join(f"  {edit.cause}: {edit.words}: {edit.reason}\n" for edit in patch.left)
    print(report)
    git(root, "apply", "--check", "-", data=patch.data)
    git(root, "apply", "-", data=patch.data)
    assert_only_what_was_meant_changed(root, patch)

    docgraph.ingest(root, profile="auto")
    targets = {end for edit in edits for key in (edit.key, edit.result) if key for end in (key[0], key[2])}
    uncovered = keys(docgraph) - wanted
    assert keys(docgraph) >= wanted
    assert all(via == "mentions" and {start, end} <= targets for start, via, end in uncovered), "words that were there"
    left = {key for edit in patch.left for key in (edit.gone, edit.made) if key is not None}
    assert contested(docgraph) <= left
    again = docgraph.relationships.patch(root, profile="auto")
    assert (again.n_patched, again.n_agreed) == (0, patch.n_patched + patch.n_agreed)
    assert [(each.gone, each.made) for each in again.left] == [(each.gone, each.made) for each in patch.left]

    anew = opened()
    anew.ingest(root, profile="auto")
    unsaid = {edit.made for edit in patch.left if edit.made is not None}
    still_said = {edit.gone for edit in patch.left if edit.gone is not None}
    assert keys(anew) == (wanted - unsaid | still_said | uncovered), "the files alone state it"


def assert_only_what_was_meant_changed(root: Path, patch: SourcePatch) -> None:
    """Files of the patch alone; no line for its spaces; fields of other names, their order and comments as before."""
    rows = [row.split("\t") for row in git(root, "diff", "--numstat", "--no-renames").splitlines()]
    assert sorted(row[2] for row in rows) == [file.path for file in patch.files]
    assert git(root, "diff", "--numstat", "-w", "--no-renames").splitlines() == ["\t".join(row) for row in rows]
    for file in patch.files:
        before = git(root, "show", f"HEAD:{file.path}").split("\n")
        after = (root / file.path).read_bytes().decode("utf-8", "replace").split("\n")
        _check_fields(file.path, "\n".join(before), "\n".join(after))
        _check_body(file.path, "\n".join(before), "\n".join(after))


def _check_fields(name: str, before: str, after: str) -> None:
    if name.endswith((".rst", ".txt")):
        return
    was, now = (yaml.safe_load(_fields(name, text)) or {} for text in (before, after))
    names = {field for field in {*was, *now} if was.get(field) != now.get(field)}
    assert len(names) <= 4, f"{name}: {names}"
    assert [field for field in was if field not in names] == [field for field in now if field not in names]
    assert _comments(_fields(name, before)) == _comments(_fields(name, after))


def _fields(name: str, text: str) -> str:
    if name.endswith((".yaml", ".yml")):
        return text
    found = re.match(r"---\r?\n(.*?)^---\s*$", text, flags=re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def _comments(text: str) -> Iterable[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]


def _check_body(name: str, before: str, after: str) -> None:
    """Behind the fields, with every link as its label, the text is what it was."""
    if not name.endswith((".yaml", ".yml", ".rst", ".txt")):
        assert _body(name, before) == _body(name, after), name


def _body(name: str, text: str) -> str:
    rest = text.replace(f"---\n{_fields(name, text)}---", "", 1) if _fields(name, text) else text
    rest = re.sub(r"\[([^\[\]]*)\](?:\([^()\s]*\)|\[[^\[\]]+\])", r"\1", rest)
    rest = re.sub(r"(?m)^ {0,3}\[[^\[\]\n]+\]: .*\n?", "", rest)
    return rest.replace("[", "").replace("]", "")
