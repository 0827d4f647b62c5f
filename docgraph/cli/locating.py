"""Findings with file and line: the source of the document that a finding is about, and the text that states it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from docgraph.boundary.files.folders import RootedFolder
from docgraph.boundary.limits import MAX_BYTES
from docgraph.boundary.text import decode_prose
from docgraph.domain.finding import Finding
from docgraph.domain.graph import StoredChunk, StoredDocument
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.relationships.findings.located import Located, line_of


class Locator:
    """Where findings stand, in the files of ``folder`` or, without one, in what the workspace holds of them."""

    def __init__(self, docgraph: Docgraph, folder: str | None = None) -> None:
        self._docgraph = docgraph
        path = None if folder is None else Path(folder)
        self._root = None if path is None or not path.is_dir() else RootedFolder(path)
        self._before = "" if path is None else _from_here(path if path.is_dir() else path.parent)
        self._texts: dict[str, str] = {}

    def located(self, findings: Sequence[Finding]) -> list[Located]:
        """One for each finding, in their order."""
        ids = [_document_of(found) for found in findings]
        documents = self._docgraph.documents.by_id(sorted({each for each in ids if each}))
        return [self._located(found, documents.get(each)) for found, each in zip(findings, ids, strict=True)]

    def _located(self, finding: Finding, document: StoredDocument | None) -> Located:
        if document is None or not document.source:
            return Located(finding)
        path = (PurePath(self._before) / document.source).as_posix() if self._before else document.source
        return Located(finding, path, self._line(document, list(self._said(finding))))

    def _said(self, finding: Finding) -> Iterator[str]:
        """Texts that state what the finding is about, the surest first."""
        for key in finding.relationships[:1]:
            edges = self._docgraph.relationships.list(document_id=key[0], relation_type=key[1])
            for edge in edges:
                if edge.key == key and isinstance(text := edge.relationship_metadata.get("text"), str):
                    yield text
        if finding.evidence:
            yield finding.evidence

    def _line(self, document: StoredDocument, texts: Sequence[str]) -> int | None:
        if not texts:
            return None
        if self._root is not None:
            return line_of(texts, self._text(document.source))
        for chunk in self._docgraph.documents.chunks(document.document_id):
            if (line := _line_in(chunk, texts)) is not None:
                return line
        return None

    def _text(self, source: str) -> str:
        """A file of the folder; empty where it is none, or cannot be read."""
        if source not in self._texts and self._root is not None:
            try:
                self._texts[source] = decode_prose(self._root.read(self._root.target(source), MAX_BYTES))
            except (OSError, ValueError, DocgraphError):
                self._texts[source] = ""
        return self._texts.get(source, "")


def _document_of(finding: Finding) -> str:
    """The document whose text a person would change: the one that states the relationship."""
    return finding.relationships[0][0] if finding.relationships else next(iter(finding.document_ids), "")


def _line_in(chunk: StoredChunk, texts: Sequence[str]) -> int | None:
    if chunk.place is None or chunk.place.line is None:
        return None
    line = line_of(texts, chunk.text)
    return None if line is None else chunk.place.line + line - 1


def _from_here(folder: Path) -> str:
    """The folder as a path below the one that the command runs in; the folder as it was given where it is not there."""
    try:
        inside = folder.resolve().relative_to(Path.cwd())
    except ValueError:
        return folder.as_posix()
    return "" if inside == Path() else inside.as_posix()
