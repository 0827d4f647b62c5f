"""Counts what each proposal adds to the relationships: names are found once, and read with it and without it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docgraph.domain.graph import Document, DocumentRef, Relationship
from docgraph.domain.imports import numbering
from docgraph.domain.imports.fields import SIDECAR_SUFFIXES
from docgraph.domain.imports.look import PARTS, ProposalId
from docgraph.domain.imports.numbering import SeriesWords
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.naming import other_names
from docgraph.ingestion.profiling.addresses import is_web
from docgraph.ingestion.profiling.headers import Gathered, Head
from docgraph.ingestion.profiling.paths import PathIndex, bare, without_suffix
from docgraph.ingestion.profiling.reading import NUMBER, ROOT, ProfileReading
from docgraph.ingestion.scanning import OnProgress
from docgraph.ports import NamedTarget, RelationExtractor, Titles

_NOT_COUNTED: tuple[ProposalId, ...] = ("stubs",)
_MARK = "#named-"
_EVERY = 64
Edge = tuple[int, str, str]
"""Document by its place, relation type, id of the target."""


@dataclass
class Named:
    """A name as an extractor asked for it; ``found`` is what the rules that always hold make of it.

    ``part`` is the proposal without which nobody would have asked. ``read`` = what all proposals make of it, by which
    ``way`` of a profile.
    """

    document: int
    text: str
    field: str
    found: str | None
    part: ProposalId | None = None
    relation_type: str = ""
    number: tuple[str, int] | None = None
    read: str | None = None
    way: str = ""


@dataclass
class _Asked:
    """A reading of names that answers nothing and remembers what it was asked."""

    words: Sequence[str] = ()
    citations: bool = True
    names: list[Named] = field(default_factory=list)
    at: int = 0
    head: Head | None = None
    beside: Mapping[str, object] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    """``ADR-7`` → the document that every import calls so."""

    def numbered(self, word: str, number: int) -> str | None:
        found = self.called.get(f"{word}-{number}")
        part: ProposalId | None = None if found else "numbers"
        return self._note(Named(self.at, "", "", found, part, number=(word, number)))

    def target(self, name: str, document: Document, find: Callable[[str], str | None], *, field: str) -> NamedTarget:
        path = (name.partition("#")[0] if field else bare(name)).strip()
        found = find(path) if path and not is_web(name) else None
        return NamedTarget(name, self._note(Named(self.at, name, field, found, self._part(name, field))))

    def _part(self, name: str, field: str) -> ProposalId | None:
        if field:
            is_own = self.head is not None and field in self.head.fields
            return "sidecars" if field in self.beside and not is_own else None
        links = self.head.links if self.head is not None and self.head.n_citations else ()
        return "citations" if any(link.href == name and link.label.startswith("[") for link in links) else None

    def _note(self, named: Named) -> str:
        self.names.append(named)
        return f"{_MARK}{len(self.names) - 1}"


@dataclass(frozen=True)
class Counts:
    """Relationships between documents of the folder: what all proposals add, and each that the others do not."""

    added: int
    by_proposal: Mapping[ProposalId, int]


class Counting:
    """One folder's names, found once; ``documents`` in order, ``proposals`` those that ``profile`` is made of."""

    def __init__(
        self,
        gathered: Gathered,
        documents: Sequence[str],
        places: PathIndex,
        profile: ImportProfile,
        proposals: Sequence[ProposalId],
        extractors: Sequence[RelationExtractor],
    ) -> None:
        self._gathered, self._documents, self._places = gathered, documents, places
        self._profile, self._proposals = profile, proposals
        self._extractors = [each for each in extractors if each.default_on or hasattr(each, "learns")]
        self._made: dict[str, tuple[list[str], list[Document]]] = {}
        self._skipped = {n for n, name in enumerate(documents) if any(map(name.startswith, profile.skip))}

    def counts(self, report: OnProgress) -> Counts | None:
        """How many; None when it was stopped."""
        names = self._names(self._profile, report)
        plain = names if names is None or "folders" not in self._proposals else self._names(ImportProfile(), report)
        if names is None or plain is None:
            return None
        whole = self._with(names, self._profile, self._proposals)
        adds: dict[ProposalId, int] = {}
        for n, each in enumerate(self._proposals):
            if report(n, len(self._proposals), each):
                return None
            if each not in _NOT_COUNTED:
                others = tuple(other for other in self._proposals if other != each)
                given = plain if each == "folders" else names
                adds[each] = len(whole) - len(self._with(given, self._without(each), others, without=each))
        lying = {(n.document, n.relation_type, n.found) for n in plain if n.found and n.part is None}
        ids = self._ids(ImportProfile())
        return Counts(len(whole) - sum(ids[at] != target for at, _, target in lying), adds)

    def _without(self, proposal: ProposalId) -> ImportProfile:
        kept = {name for each in self._proposals if each != proposal for name in PARTS[each]}
        return ImportProfile(**{name: getattr(self._profile, name) for name in kept})

    def _names(self, profile: ImportProfile, report: OnProgress) -> list[Named] | None:
        """Every name that extractors ask about, with its relation type, where documents have these ids."""
        ids = self._ids(profile)
        known = [self._document(n, name, ids[n]) for n, name in enumerate(self._documents)]
        words = [series.word for series in self._profile.numbers if series.word]
        asked = _Asked(words=words, called=self._called(ids))
        titles = Titles(
            tuple(DocumentRef(document_id=each.document_id, title=each.title) for each in known),
            {each.document_id: each.source for each in known},
            {each.document_id: other_names(each.metadata, each.source) for each in known},
            asked,
        )
        kept: list[Named] = []
        for n, document in enumerate(known):
            if n % _EVERY == 0 and report(n, len(known), document.source):
                return None
            asked.at, asked.head = n, self._gathered.heads.get(document.source)
            asked.beside = self._gathered.fields.get(document.source, {})
            asked.names.clear()
            kept += _typed(self._asked_by(document, titles), asked.names)
        return kept

    def _called(self, ids: Sequence[str]) -> dict[str, str]:
        """What people call documents by their numbers, where one is called so → its id."""
        learnt = SeriesWords(self._gathered.name)
        for head in self._gathered.heads.values():
            learnt.note(head.name, head.name, title=head.title, text=head.text, named=head.named)
        of_name = dict(zip(self._documents, ids, strict=True))
        found: dict[str, set[str]] = {}
        for name, called in learnt.called():
            found.setdefault(called, set()).add(of_name[name])
        return {called: each.pop() for called, each in found.items() if len(each) == 1}

    def _asked_by(self, document: Document, titles: Titles) -> Iterator[Relationship]:
        for extractor in self._extractors:
            yield from extractor.extract(document, titles)

    def _ids(self, profile: ImportProfile) -> list[str]:
        page = profile.page.casefold() if profile.one_per == "folder" else None
        found = []
        for name in self._documents:
            folder, _, base = name.rpartition("/")
            head = self._gathered.heads.get(name)
            own = str((head.fields.get("id") or head.fields.get("document_id") or "") if head else "")
            is_page = page is not None and folder and without_suffix(base).casefold() == page
            found.append(own.strip()[:500] or (folder if is_page else without_suffix(name)) or name)
        return found

    def _document(self, n: int, name: str, document_id: str) -> Document:
        """A document as far as its names go: fields, links, and words before numbers."""
        head = self._gathered.heads.get(name)
        fields = dict(self._gathered.all_fields(name))
        links = [{"href": link.href, "text": ""} for link in head.links] if head and n not in self._skipped else []
        wanted = {series.word for series in self._profile.numbers}
        named = [f"{word}-{number}" for word, number in head.named if word in wanted] if head else []
        title = str(fields.get("title") or (head.title if head else "")) or document_id
        given = {**fields, "links": links}
        return Document(document_id=document_id, title=title, text="\n\n".join(named), source=name, metadata=given)

    def _with(
        self,
        names: Sequence[Named],
        profile: ImportProfile,
        on: Collection[ProposalId],
        *,
        without: ProposalId | None = None,
    ) -> set[Edge]:
        """The relationships by a profile; ``without`` = what it lacks, so that other names need no second reading."""
        ids, documents = self._known(profile)
        reading = self._reading(profile, ids)
        gone = {ids[n] for n in self._skipped} if "templates" in on else set()
        edges: set[Edge] = set()
        mentions: list[Edge] = []
        for each in names:
            if each.part is not None and each.part not in on:
                continue
            if without is not None and without != "folders" and not _changes(each, without):
                target = each.read
            else:
                ways = dict(reading.ways) if without is None else {}
                target = _read(each, reading, documents[each.document])
                if without is None:
                    each.read = target
                    each.way = next((way for way, n in reading.ways.items() if n != ways.get(way, 0)), "")
            if target and target != ids[each.document] and target not in gone and ids[each.document] not in gone:
                edge = each.document, each.relation_type, target
                mentions.append(edge) if each.number else edges.add(edge)
        related = {(at, target) for at, _, target in edges}
        return edges | {edge for edge in mentions if (edge[0], edge[2]) not in related}

    def _known(self, profile: ImportProfile) -> tuple[list[str], list[Document]]:
        """Ids and documents without what is in them, made once for documents that are files, and once for folders."""
        if profile.one_per not in self._made:
            ids = self._ids(profile)
            pairs = zip(ids, self._documents, strict=True)
            self._made[profile.one_per] = ids, [Document(document_id=i, title="x", source=name) for i, name in pairs]
        return self._made[profile.one_per]

    def _reading(self, profile: ImportProfile, ids: Sequence[str]) -> ProfileReading:
        page = profile.page if profile.one_per == "folder" else None
        fields = self._gathered.all_fields
        numbered = [
            numbering.Numbered(i, numbering.stem_of(name, page), fields(name) if profile.numbers else {})
            for i, name in zip(ids, self._documents, strict=True)
        ]
        pairs = [pair for pattern in profile.sidecars for pair in self._gathered.sidecars.get(pattern, ())]
        beside = {pair.sidecar: pair.document for pair in pairs}
        sources = dict(zip(ids, self._documents, strict=True))
        return ProfileReading(profile, sources, numbered, (), beside, places=self._places)


def _typed(found: Iterator[Relationship], names: Sequence[Named]) -> Iterator[Named]:
    """The names that became relationships, each with its type."""
    for edge in found:
        if edge.to_document_id.startswith(_MARK):
            named = names[int(edge.to_document_id.removeprefix(_MARK))]
            named.relation_type = edge.relation_type
            yield named


def _read(named: Named, reading: ProfileReading, document: Document) -> str | None:
    if named.number is not None:
        return reading.numbered(*named.number) or named.found
    read = reading.target(named.text, document, lambda _: named.found, field=named.field)
    return read.document_id or (None if read.names_none else named.found)


def _changes(named: Named, without: ProposalId) -> bool:
    """Whether a name may be read otherwise without a proposal."""
    if without == "numbers":
        return named.way == NUMBER or named.number is not None
    if without == "root":
        return named.way == ROOT
    if without == "base":
        return is_web(named.text)
    if without in ("boilerplate", "empty"):
        return named.read is None
    return without == "sidecars" and named.text.lower().endswith(SIDECAR_SUFFIXES)
