"""Public corpora read by what a look proposes, edge by edge against a parser that is not the product's.

Of the 675 KEPs those of six groups are taken, of the 949 EIPs those numbered below 3500, of the 736 PEPs the first 150;
``make corpora`` (``DOCGRAPH_TEST_ALL_KEPS``, ``_EIPS`` and ``_PEPS``) takes all of them.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.record import Reading
from docgraph.ingestion.ledger import Ledger
from docgraph.ingestion.linking import Linker, titles_of
from docgraph.ingestion.preview import preview_scan, scan_root
from docgraph.ingestion.profiling.applying import Applied
from docgraph.ingestion.staging import Staging, take_files

pytestmark = [pytest.mark.timeout(900), pytest.mark.slow]
LOADERS = [plugins.build("loaders", name) for name in ("markdown", "restructuredtext", "html", "text")]
EXTRACTORS = [
    plugins.build("extractors", name)
    for name in ("front_matter", "header_fields", "markdown_links", "wiki_links", "status_lines", "body_references")
]
KEPS_HERE = re.compile(
    r"https?://(?:github\.com/kubernetes/enhancements/(?:tree|blob)/[^/]+/keps/|git\.k8s\.io/enhancements/keps/)"
)
ALL_KEPS, ALL_EIPS, ALL_PEPS = (bool(os.environ.get(f"DOCGRAPH_TEST_ALL_{name}")) for name in ("KEPS", "EIPS", "PEPS"))
GROUPS = ("sig-architecture", "sig-cli", "sig-instrumentation", "sig-multicluster", "sig-release", "sig-testing")
"""Small groups in which everything is written that all of them write."""
Pair = tuple[str, str]


def related(folder: Path) -> tuple[set[str], list[Relationship], Reading]:
    """Ids, relationships and the account of names, with nothing stored and nothing embedded."""
    scan = scan_root(folder)
    staging = Staging(Ledger(), 256, applied=Applied(preview_scan(scan, "x", LOADERS, EXTRACTORS, None).profile))
    assert staging.applied is not None
    assert take_files(scan, staging, LOADERS, each=lambda *_: False)
    documents = [document for document, _ in staging.documents.values()]
    linker = Linker(EXTRACTORS, titles_of([], documents, staging.applied.reading([], documents)))
    edges = [edge for document in documents for edge in linker.link(document, [], extract=True)]
    return set(staging.documents), edges, staging.applied.read()


def pairs(edges: list[Relationship], kind: str, ids: set[str]) -> set[Pair]:
    return {
        (e.from_document_id, e.to_document_id) for e in edges if e.relation_type == kind and e.to_document_id in ids
    }


def plain(text: str) -> str:
    """A Markdown text without comments and code."""
    text = re.sub(r"(?s)<!--.*?-->", "", text)
    text = re.sub(r"(?ms)^ {0,3}(```|~~~).*?^ {0,3}\1[^\n]*$", "", text)
    return re.sub(r"`[^`\n]*`", "", text)


def hrefs(text: str) -> list[str]:
    return re.findall(r"(?<!!)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^\s()<>]+)", text)


def fields(text: str) -> dict[str, object]:
    try:
        return dict(yaml.safe_load(text) or {})
    except (yaml.YAMLError, ValueError):
        return {}


class Keps:
    """KEPs by path and number, read without docgraph."""

    def __init__(self, root: Path) -> None:
        self.texts = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.suffix.lower() == ".md"}
        self.ids = {
            name: posixpath.dirname(name) if name.endswith("/README.md") else posixpath.splitext(name)[0]
            for name in self.texts
        }
        self.meta = {
            p.parent.relative_to(root).as_posix(): fields(p.read_text("utf-8")) for p in root.rglob("kep.yaml")
        }
        self.numbers: dict[int, list[str]] = {}
        for folder, meta in self.meta.items():
            stated = str(meta.get("kep-number", ""))
            named = re.match(r"0*(\d+)-", posixpath.basename(folder))
            number = stated if stated.isdigit() else named[1] if named else None
            if number is not None:
                self.numbers.setdefault(int(number), []).append(folder)

    def at(self, path: str) -> str | None:
        """The document at a path from the top, or the only one whose number its last part starts with."""
        path = posixpath.normpath(path.split("#")[0].split("?")[0].strip().strip('"').strip("/"))
        for name in (path, f"{path}.md", f"{path}/README.md"):
            if name in self.ids:
                return self.ids[name]
        parts = [part for part in path.split("/") if part != "README.md"]
        found = re.match(r"0*(\d{1,6})(?=-|$|\.)", parts[-1]) if parts else None
        there = self.numbers.get(int(found[1]), []) if found else []
        return there[0] if len(there) == 1 else None

    def named(self, target: str) -> str | None:
        if found := KEPS_HERE.match(target):
            return self.at(target[found.end() :])
        return self.at(re.sub(r"^/?keps/", "", target)) if re.match(r"/?keps/", target) else None

    def declared(self) -> Iterator[tuple[str, str, str]]:
        for folder, meta in self.meta.items():
            for field in ("see-also", "replaces", "superseded-by"):
                value = meta.get(field)
                for target in value if isinstance(value, list) else [value]:
                    if target and (found := self.named(str(target))):
                        yield folder, field.replace("-", "_"), found

    def linked(self) -> Iterator[tuple[str, str, str]]:
        """(from, to, how the link is written)."""
        for name, path in self.texts.items():
            for href in hrefs(plain(path.read_text("utf-8", "replace"))):
                how = "base" if KEPS_HERE.match(href) else "root" if href.startswith("/keps/") else ""
                if how and (found := self.named(href)) and found != self.ids[name]:
                    yield self.ids[name], found, how


@pytest.fixture
def keps(test_data: Path, tmp_path: Path) -> Path:
    """The folder of KEPs, or of some as they lie in it."""
    root = test_data / "keps" / "keps"
    if not root.is_dir():
        pytest.skip("no KEPs among the test data")
    if ALL_KEPS:
        return root
    for group in GROUPS:
        shutil.copytree(root / group, tmp_path / "keps" / group)
    return tmp_path / "keps"


def test_keps_as_they_lie_give_every_declared_path_and_every_link_to_this_folder(keps: Path) -> None:
    there, (ids, edges, reading) = Keps(keps), related(keps)
    declared = set(there.declared())
    found = {edge.key for edge in edges if edge.to_document_id in ids}
    assert declared <= found
    linked = list(there.linked())
    assert Counter(how for _, _, how in {*linked}).keys() == {"base", "root"}
    links = pairs(edges, "links_to", ids) | pairs(edges, "replaced_by", ids)
    assert {(start, end) for start, end, _ in linked} <= links
    counted = (len(declared), Counter(key[1] for key in found)["see_also"], sum(reading.declared.values()))
    outcomes = (reading.declared["empty"], reading.declared["stored"])
    # of all, five are in headers with a line that is no YAML, and two in the status of a text
    assert (counted, outcomes) == (((269, 274, 491), (37, 284)) if ALL_KEPS else ((33, 31, 69), (4, 34)))


@pytest.fixture
def eips(test_data: Path, tmp_path: Path) -> Path:
    """The folder of EIPs, or of those with a low number."""
    root = test_data / "eips" / "EIPS"
    if not root.is_dir():
        pytest.skip("no EIPs among the test data")
    if ALL_EIPS:
        return root
    part = tmp_path / "EIPS"
    part.mkdir()
    for path in root.glob("eip-*.md"):
        if int(path.stem.removeprefix("eip-")) < 3500:
            shutil.copy(path, part)
    return part


def test_eips_keep_every_requirement_and_every_link_and_one_licence_dangles_nowhere(
    eips: Path, test_data: Path
) -> None:
    root = eips
    there = {path.stem for path in root.glob("*.md")}
    requires: set[Pair] = set()
    links: set[Pair] = set()
    address = re.compile(
        r"(?:\./|\.\./EIPS/|https://eips\.ethereum\.org/EIPS/|https://github\.com/ethereum/EIPs/blob/[^/]+/EIPS/)?"
        r"(eip-\d+)(?:\.md)?(?:#.*)?"
    )
    for path in root.glob("*.md"):
        _, header, body = path.read_text("utf-8").split("---\n", 2)
        for number in str(fields(header).get("requires") or "").split(","):
            requires |= {(path.stem, f"eip-{int(number)}")} if number.strip() else set()
        text = plain(body)
        for href in [*hrefs(text), *re.findall(r"(?m)^ {0,3}\[[^\]\n]+\]:\s*<?(\S+)", text)]:
            target = address.fullmatch(href)
            if target and target[1] in there and target[1] != path.stem:
                links.add((path.stem, target[1]))
    ids, edges, reading = related(root)
    assert pairs(edges, "requires", ids) == {pair for pair in requires if pair[1] in ids}
    assert links == pairs(edges, "links_to", ids)
    counted = (len(requires), len(links), reading.links["boilerplate"])
    assert counted == ((769, 1_350, 551) if ALL_EIPS else (148, 239, 194))
    every = {path.stem for path in (test_data / "eips" / "EIPS").glob("*.md")}
    assert sum(edge.to_document_id not in every for edge in edges) <= 2


@pytest.mark.parametrize(
    ("folder", "types"),
    [
        ("peps/original", {"requires": 39, "replaces": 42, "superseded_by": 32}),
        ("govuk-adrs/original", {"amended_by": 1, "amends": 1, "links_to": 3, "superseded_by": 1}),
        ("foam-docs/original", {"links_to": 191}),
    ],
)
def test_what_was_found_without_a_profile_is_found_with_one(
    folder: str, types: dict[str, int], test_data: Path, tmp_path: Path
) -> None:
    root = test_data / folder
    if folder == "peps/original" and not ALL_PEPS:
        root, types = tmp_path / "peps", {"requires": 4, "replaces": 5, "superseded_by": 5}
        root.mkdir()
        for path in sorted((test_data / folder).glob("pep-*"))[:150]:
            shutil.copy(path, root)
    ids, edges, _ = related(root)
    found = Counter(edge.relation_type for edge in edges if edge.to_document_id in ids)
    assert {kind: found[kind] for kind in types} == types
