"""A profile applied to one import: sidecars merged, folders named, stubs marked, templates left out, all counted."""

from __future__ import annotations

import posixpath
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from docgraph.domain.graph import Document, StoredDocument
from docgraph.domain.imports import numbering
from docgraph.domain.imports.fields import field_key, with_header
from docgraph.domain.imports.look import ProposalId
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.imports.record import Read, Reading
from docgraph.domain.report import Rejected
from docgraph.ingestion.profiling import sidecars
from docgraph.ingestion.profiling.conventions import ANY_VALUE
from docgraph.ingestion.profiling.headers import CITATION
from docgraph.ingestion.profiling.reading import BASE, BOILERPLATE, EMPTY, NUMBER, ROOT, ProfileReading
from docgraph.ingestion.profiling.sidecars import SIDECAR, merged, read_fields
from docgraph.ingestion.scanning import Source

_D = TypeVar("_D", Document, StoredDocument, Document | StoredDocument)
STUB = "stub"
"""Field of a document's metadata that says why it is only a pointer to others."""


class Applied:
    """One profile over the files of one import; used once."""

    def __init__(self, profile: ImportProfile) -> None:
        self.profile = profile
        self._counts: Counter[str] = Counter()
        self._beside: dict[str, list[str]] = {}
        self._reads: dict[str, Callable[[], bytes]] = {}
        self._names: frozenset[str] = frozenset()
        self._sources: dict[str, str] = {}
        self._numbered: dict[str, numbering.Numbered] = {}
        self._reading: ProfileReading | None = None

    def sources(self, scan: Sequence[Source], suffixes: Iterable[str]) -> list[Source]:
        """The sources that are documents: without sidecars and templates, which are counted."""
        read = tuple(suffixes)
        kept = [source for source in scan if not self._is_skipped(source.name)]
        self._counts["templates"] = len(scan) - len(kept)
        documents = sidecars.described([source.name for source in kept if source.name.lower().endswith(read)])
        pairs = sidecars.beside((s.name for s in kept), documents, self.profile.sidecars)
        for pair in pairs:
            self._beside.setdefault(pair.document, []).append(pair.sidecar)
        taken = {pair.sidecar for pair in pairs}
        self._reads = {source.name: source.read for source in kept if source.name in taken}
        self._names = frozenset(source.name for source in scan)
        return [source for source in kept if source.name not in taken]

    def document(
        self, document: Document, refuse: Callable[[str, str], None], adjust: Callable[[str, str], None]
    ) -> Document:
        """A document as the profile reads it.

        ``refuse(name, reason)`` hears of a sidecar that cannot be read, and of a line of one; ``adjust`` of what in it
        is read otherwise than it is written.
        """
        source = document.source
        folder, _, base = source.rpartition("/")
        page = self.profile.one_per == "folder" and folder and _stem(base) == self.profile.page.casefold()
        merged_of: list[str] = []
        for sidecar in self._beside.get(source, ()):
            try:
                fields, told = read_fields(sidecar, self._reads[sidecar])
            except (OSError, ValueError) as error:
                refuse(sidecar, f"the sidecar {str(error).removeprefix('it ')}; the document's text is kept")
                continue
            for each in told:
                report = refuse if isinstance(each, Rejected) else adjust
                report(f"{sidecar}, {each.place.removeprefix('header, ')}", each.reason)
            document = merged(document, fields, sidecar)
            merged_of.append(sidecar)
        if len(merged_of) > 1:
            document = document.model_copy(update={"metadata": {**document.metadata, SIDECAR: merged_of}})
        self._counts["sidecars"] += len(merged_of)
        if page and document.document_id == source.rpartition(".")[0] and not self._names_file(folder):
            title = document.title if document.title != base.rpartition(".")[0] else posixpath.basename(folder)
            document = document.model_copy(update={"document_id": folder, "title": title})
            self._counts["folders"] += 1
        if self.profile.citations:
            self._counts["citations"] += len(CITATION.findall(document.text))
        if why := self._stub(document):
            document = document.model_copy(update={"metadata": {**document.metadata, STUB: why}})
            self._counts["stubs"] += 1
        return document

    def reading(self, stored: Iterable[StoredDocument] = (), incoming: Iterable[Document] = ()) -> ProfileReading:
        """How names are read in this import, from now on; with the documents that were noted."""
        given: Iterable[Document | StoredDocument] = chain(stored, incoming)
        deque(self.noted(given), maxlen=0)
        if self._reading is None:
            beside = {sidecar: name for name, there in self._beside.items() for sidecar in there}
            numbered = list(self._numbered.values())
            self._reading = ProfileReading(self.profile, self._sources, numbered, self._names, beside)
        return self._reading

    def noted(self, documents: Iterable[_D]) -> Iterator[_D]:
        """The documents as they are, while what names are read by is remembered of each; a later one counts."""
        page = self.profile.page if self.profile.one_per == "folder" else None
        wanted = {series.field.casefold() for series in self.profile.numbers}
        for each in documents:
            name = each.source or each.document_id
            self._sources[each.document_id] = name
            fields = {n: v for n, v in with_header(each.metadata).items() if n.casefold() in wanted}
            stem = numbering.stem_of(name, page)
            self._numbered[each.document_id] = numbering.Numbered(each.document_id, stem, fields)
            yield each

    def read(self) -> Reading:
        """What was read differently, line by line, and what became of each name."""
        reading = self._reading
        ways, counts = (reading.ways, reading.counts) if reading else (Counter[str](), Counter[tuple[str, str]]())
        empty = counts["declared", EMPTY]
        common = counts["declared", BOILERPLATE] + counts["links", BOILERPLATE]
        told: dict[ProposalId, int] = {
            "sidecars": self._counts["sidecars"],
            "folders": self._counts["folders"],
            "base": ways[BASE],
            "root": ways[ROOT],
            "numbers": ways[NUMBER],
            "empty": empty,
            "boilerplate": common,
            "citations": self._counts["citations"],
            "stubs": self._counts["stubs"],
            "templates": self._counts["templates"],
        }
        return Reading(
            lines=tuple(Read(proposal=name, n=n) for name, n in told.items() if n),
            declared={cause: n for (kind, cause), n in sorted(counts.items()) if kind == "declared"},
            links={cause: n for (kind, cause), n in sorted(counts.items()) if kind == "links"},
            missing=tuple(f"{source}: {name}"[:300] for source, name in (reading.missing if reading else ())),
        )

    def _is_skipped(self, name: str) -> bool:
        return any(name.startswith(folder) for folder in self.profile.skip)

    def _names_file(self, folder: str) -> bool:
        return any(f"{folder}{suffix}" in self._names for suffix in (".md", ".rst", ".txt", ".html"))

    def _stub(self, document: Document) -> str:
        for field, values in self.profile.stub_values.items():
            for name, value in document.metadata.items():
                said = value.strip() if isinstance(value, str) and field_key(name) == field_key(field) else ""
                if said and (ANY_VALUE in values or said in values):
                    return f"{name}: {said[:200]}"
        n_text = len(document.text.strip())
        return f"{n_text:,} characters of text" if n_text < self.profile.stub_below else ""


def _stem(base: str) -> str:
    return base.rpartition(".")[0].casefold() or base.casefold()
