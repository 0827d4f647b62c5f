"""The public sets: imported once each, their questions with the evidence that is known, and which of them count."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import docgraph
from docgraph import Docgraph
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.passages.evidence import Evidence, ReadPassage, evidence_rank
from docgraph.domain.query_set import RELEVANT, JudgedQuery, halves

SETS: dict[str, dict[str, int]] = {
    "2wiki-780": {"max_documents": 8, "max_chunks": 8},
    "peps-small": {"max_documents": 5, "max_chunks": 5},
    "peps": {"max_documents": 5, "max_chunks": 5},
    "eips": {"max_documents": 6, "max_chunks": 10},
    "keps": {"max_documents": 6, "max_chunks": 10},
    "bips": {"max_documents": 6, "max_chunks": 10},
    "rustrfcs": {"max_documents": 6, "max_chunks": 10},
    "swift": {"max_documents": 6, "max_chunks": 10},
    "govuk-adrs": {"max_documents": 6, "max_chunks": 10},
    "foam-docs": {"max_documents": 6, "max_chunks": 10},
}
"""Set → limits of its requests (06_quality: eight passages, five documents and chunks; elsewhere the default)."""

ORIGINALS = {"eips": "EIPS", "peps": "original"}
"""Set → the folder inside it whose files are imported as they were published; other sets are records."""


@dataclass(frozen=True)
class Question:
    """One question of a set: the documents that answer it, the passages, and the one that holds the answer."""

    query: str
    relevant: frozenset[str]
    kind: str
    evidence: tuple[Evidence, ...] = ()
    target: str = ""

    @property
    def judged(self) -> JudgedQuery:
        """The question as a query set has it, without an id."""
        grades = dict.fromkeys(sorted(self.relevant), RELEVANT)
        return JudgedQuery(query_id="q", query=self.query, kind=self.kind, grades=grades, evidence=self.evidence)


def opened(folder: Path, work: Path, *, embedder: str, model: str | None) -> Docgraph:
    """The set in its database, imported when it is not there yet; a workspace for each embedder."""
    workspace = "set" if embedder == "wordllama" else f"set-{embedder}"
    data_dir = str(work / folder.name)
    there = docgraph.connect(data_dir=data_dir, workspace=workspace, embedder=embedder, embedder_model=model)
    if workspace not in {workspace.name for workspace in there.workspaces()}:
        if folder.name == "keps":
            documents = list(keps(folder / "keps"))
            there.ingest_records(*_records(documents))
        else:
            there.ingest(folder / ORIGINALS[folder.name] if folder.name in ORIGINALS else folder)
    return there


def questions(folder: Path, *, half: str = "") -> list[Question]:
    """The questions of a set, without those that nothing answers; ``half`` = *tune* or *hold_out*, by ``halves``."""
    rows, second = _rows(folder / "queries.jsonl"), _rows(folder / "compare_second.jsonl")
    more = {row["id"]: Evidence(pattern=row["evidence"], document_id=row["doc"]) for row in second}
    kinds = tuple(row.get("kind") or "" for row in rows)
    of = halves(tuple(row["id"] for row in rows), kinds)
    return [
        Question(row["query"], frozenset(row["relevant"]), kind, evidence=_evidence(row, more), target=_target(row))
        for row, kind, its_half in zip(rows, kinds, of, strict=True)
        if row["relevant"] and half in ("", its_half)
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _target(row: Mapping[str, Any]) -> str:
    return row.get("target") or ""


def _evidence(row: Mapping[str, Any], more: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    if not row.get("evidence"):
        return ()
    first = Evidence(pattern=row["evidence"], document_id=_target(row))
    return (first, more[row["id"]]) if row["id"] in more else (first,)


def answerable(there: Docgraph, asked: Sequence[Question]) -> list[Question]:
    """The questions that the set can answer; how many it cannot is said.

    All relevant documents have to be stored, and a chunk of them has to hold each evidence: of many EIPs only a stub is
    left that says where the text has gone.
    """
    stored = {document.document_id for document in there.documents.list()}
    kept = [each for each in asked if each.relevant <= stored and _holds_evidence(there, each)]
    if len(kept) < len(asked):
        print(f"{len(asked) - len(kept)} of {len(asked)} questions ask for what the set does not hold", file=sys.stderr)
    return kept


def _holds_evidence(there: Docgraph, question: Question) -> bool:
    chunks = (chunk for i in sorted(question.relevant) for chunk in there.documents.chunks(i))
    passages = [ReadPassage(each.document_id, each.chunk_id, each.text) for each in chunks]
    return not question.evidence or evidence_rank(question.evidence, passages, question.relevant) is not None


def keps(folder: Path) -> Iterator[tuple[Document, list[tuple[str, str]]]]:
    """Each README.md with the title of the kep.yaml beside it, and (type, number) of what that file names."""
    for path in sorted(folder.glob("*/*/kep.yaml")):
        number, text = re.match(r"\d+", path.parent.name), path.with_name("README.md")
        if number is None or not text.is_file():
            continue
        try:
            fields = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (yaml.YAMLError, ValueError):
            fields = {}
        document_id = f"kep-{int(number[0])}"
        document = Document(
            document_id=document_id,
            title=f"KEP-{int(number[0])}: {fields.get('title') or path.parent.name}"[:500],
            text=text.read_text(encoding="utf-8", errors="replace"),
            doc_type="kep",
        )
        yield document, list(_named(fields))


def _named(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("see-also", "replaces", "superseded-by"):
        targets = fields.get(field)
        for target in [targets] if isinstance(targets, str) else targets or ():
            if found := re.search(r"(?:^|/)(\d{1,5})(?:-[^/]*)?(?:/|\.md|$)", str(target)):
                yield field.replace("-", "_"), f"kep-{int(found[1])}"


def _records(found: Sequence[tuple[Document, list[tuple[str, str]]]]) -> tuple[list[Document], list[Relationship]]:
    ids = {document.document_id for document, _ in found}
    edges = {
        (document.document_id, via, target)
        for document, named in found
        for via, target in named
        if target in ids and target != document.document_id
    }
    return [document for document, _ in found], [
        Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in sorted(edges)
    ]
