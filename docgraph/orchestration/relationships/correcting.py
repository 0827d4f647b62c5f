"""Corrections laid over the authors' files, one after the other: a text counts when it is read as was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from docgraph.curation.patching.candidates import (
    Candidate,
    Said,
    adding,
    dropping,
    has_metadata,
    putting,
    reanchoring,
    said_of,
)
from docgraph.curation.patching.corrections import Wanted
from docgraph.curation.patching.names import LIST_FIELD, Named, spellings
from docgraph.curation.patching.unified import unified
from docgraph.domain.graph import Document, Relationship, StoredDocument
from docgraph.domain.imports.fields import field_key, owner_of
from docgraph.domain.imports.patch import LeftCause, LeftEdit, PatchedFile
from docgraph.domain.overrides import EdgeKey
from docgraph.ingestion.rereading import Edges, Rereading
from docgraph.ports import MENTIONS

MAX_TRIED, MAX_STATEMENTS = 600, 50
_WIDE = ("utf-16", "utf-32")


class _LeftError(Exception):
    """Why an edit is in no patch."""

    def __init__(self, cause: LeftCause, reason: str) -> None:
        super().__init__(reason)
        self.cause: LeftCause = cause


@dataclass
class Correcting:
    """One patch as it is made: each correction is laid over the files, and taken off again when it does not hold.

    ``unwanted`` = what somebody decided against, which no correction may uncover.
    """

    files: Rereading
    stored: Mapping[str, StoredDocument]
    texts: Mapping[str, str]
    examples: Sequence[Relationship]
    unwanted: Set[EdgeKey]
    left: list[LeftEdit] = field(default_factory=list)
    n_patched: int = 0
    n_agreed: int = 0
    _entries: dict[str, set[int]] = field(default_factory=dict)
    _documents: dict[str, str] = field(default_factory=dict)
    _states: dict[str, tuple[Document, Edges]] = field(default_factory=dict)
    _uncovered: Set[EdgeKey] = frozenset()

    def take(self, asked: Wanted) -> None:
        """Put one correction into the texts, whole or not at all."""
        before, states = self.files.laid, dict(self._states)
        try:
            changed = self._change(asked)
        except _LeftError as error:
            self.files.lay(before)
            self._states = states
            self.left.append(
                LeftEdit(
                    entry_id=asked.entry_id, gone=asked.gone, made=asked.made, cause=error.cause, reason=str(error)
                )
            )
            return
        if not changed:
            self.n_agreed += 1
            return
        self.n_patched += 1
        for name, data in self.files.laid.items():
            if before.get(name) != data:
                self._entries.setdefault(name, set()).add(asked.entry_id)

    def patched(self, owner_fields: Sequence[str]) -> Iterator[PatchedFile]:
        """The files whose texts changed, by path."""
        laid = self.files.laid
        for name in sorted(laid):
            self.files.lay({})
            encoding = self.files.encoding(name).replace("utf-8-sig", "utf-8")
            before = self.files.data(name).decode(encoding)
            document = self.files.document(self._documents[name])
            if diff := unified(name, before, laid[name].decode(encoding)):
                yield PatchedFile(
                    path=name,
                    owner="" if document is None else owner_of(document.metadata, owner_fields),
                    encoding=encoding,
                    diff=diff,
                    entries=tuple(sorted(self._entries.get(name, ()))),
                )

    # ------------------------------------------------------------ one correction

    def _change(self, asked: Wanted) -> bool:
        """Whether a text had to be changed for it. Raises _LeftError."""
        gone, made = asked.gone, asked.made
        for key in (gone, made):
            if key is not None:
                self._check(key[0])
        if asked.anchors is not None and gone is not None:
            return self._reanchor(gone, *asked.anchors)
        says = gone is not None and gone in self._state(gone[0])[1]
        lacks = made is not None and made not in self._state(made[0])[1]
        ends = [key for key in (gone, made) if key is not None]
        self._uncovered = {(start[0], MENTIONS, end[2]) for start in ends for end in ends} - self.unwanted
        if says and lacks and gone and made and gone[:2] == made[:2] and self._point(gone, made):
            return True
        if says and gone is not None:
            self._drop(gone)
        if lacks and made is not None:
            self._add(made)
        return says or lacks

    def _check(self, document_id: str) -> None:
        """That the files of a document are there as they were imported. Raises _LeftError."""
        stored = self.stored.get(document_id)
        if stored is None or self.files.document(document_id) is None:
            raise _LeftError("no_file", f"no file in this folder is the document {document_id!r}")
        if self.files.is_record(document_id):
            raise _LeftError("record", f"{document_id!r} is a record: correct it where the records are made")
        names = self.files.files_of(document_id)
        if not self.files.is_as_imported(stored, self.texts.get(document_id, "")):
            raise _LeftError(
                "changed", f"{' or '.join(names)} is not what was imported: import the folder again, then export"
            )
        for name in names:
            if self.files.is_link(name):
                raise _LeftError("no_file", f"{name} is a symbolic link: a patch would change the link")
            if self.files.encoding(name) in _WIDE:
                raise _LeftError("encoding", f"{name} is {self.files.encoding(name)}: git takes it for no text")

    def _state(self, document_id: str) -> tuple[Document, Edges]:
        if document_id not in self._states:
            found = self.files.again(document_id)
            if found is None:
                raise _LeftError("no_place", f"the file of {document_id!r} cannot be read again")
            self._states[document_id] = found
        return self._states[document_id]

    def _point(self, gone: EdgeKey, made: EdgeKey) -> bool:
        """Whether the statement could be pointed at another document where it stands."""
        document, edges = self._state(gone[0])
        said = said_of(edges[gone])
        spelled = self._spelled(made, [gone[1]], field_key(said.field), first=(_raw(edges[gone], gone[2]),))
        want = edges.keys() - {gone} | {made}
        start, target = self._named(gone[0]), self._named(made[2])

        def texts(name: str, text: str) -> Iterator[Candidate]:
            return putting(text, name, said, spelled, target, start)

        return self._try(document, texts, lambda found: self._is(found.keys(), want))

    def _reanchor(self, key: EdgeKey, anchor: str, new: str) -> bool:
        """Whether links to a section had to be changed. Raises _LeftError."""
        document, edges = self._state(key[0])
        before = _anchors(edges.get(key))
        if anchor not in before:
            return False
        want = dict.fromkeys(new if each == anchor else each for each in before)
        said = said_of(edges[key])

        def texts(name: str, text: str) -> Iterator[Candidate]:
            return reanchoring(text, said, anchor, new)

        def holds(found: Edges) -> bool:
            others = all(_anchors(found.get(each)) == _anchors(edges[each]) for each in edges if each != key)
            return found.keys() == edges.keys() and _anchors(found[key]) == list(want) and others

        if not self._try(document, texts, holds):
            raise _LeftError("no_place", f"#{anchor} cannot be changed alone where it stands: {said.line[:200]!r}")
        return True

    def _is(self, found: Set[EdgeKey], want: Set[EdgeKey]) -> bool:
        """Whether these relationships are wanted, but for a mention that is read where nothing else relates the two.

        The words were there before, or are the label of a link that goes: a mention says no more than they do.
        """
        return found >= want and found - want <= self._uncovered

    def _drop(self, key: EdgeKey) -> None:
        """Take every statement of a relationship away. Raises _LeftError."""
        for _ in range(MAX_STATEMENTS):
            document, edges = self._state(key[0])
            edge = edges.get(key)
            if edge is None:
                return
            said = said_of(edge)
            if said.place == "status":
                raise _LeftError("status_line", f"a status line states it: {said.line[:200]!r}")
            rest = edges.keys() - {key}

            def texts(name: str, text: str, said: Said = said) -> Iterator[Candidate]:
                return dropping(text, name, said)

            def holds(found: Edges, edge: Relationship = edge, rest: set[EdgeKey] = rest) -> bool:
                other = found.get(edge.key)
                moved = other is not None and said_of(other) != said_of(edge) and said_of(edge).place != "header"
                return self._is(found.keys() - {edge.key}, rest) and (other is None or moved)

            if not self._try(document, texts, holds):
                raise self._kept(said, edge)
        raise _LeftError("no_place", f"it is stated more than {MAX_STATEMENTS} times")

    def _add(self, key: EdgeKey) -> None:
        """Let the document state a relationship more. Raises _LeftError."""
        document, edges = self._state(key[0])
        via = key[1]
        fields = [
            *self._fields(via),
            *(f for f in document.metadata if field_key(f) == field_key(via)),
            _styled(document, via),
        ]
        fields += [name for name in document.metadata if field_key(name) == LIST_FIELD]
        spelled = self._spelled(key, [via], *(field_key(name) for name in fields))
        want = edges.keys() | {key}

        def texts(name: str, text: str) -> Iterator[Candidate]:
            return adding(text, name, fields, spelled, via)

        if not self._try(document, texts, lambda found: self._is(found.keys(), want)):
            names = self.files.files_of(key[0])
            if not any(has_metadata(self._text(name), name) for name in names):
                raise _LeftError("no_field", f"{names[0]} has no front matter and no header to write it in")
            raise _LeftError("no_field", f"no field of {' or '.join(names)} is read as {via!r} to {key[2]!r}")

    def _kept(self, said: Said, edge: Relationship) -> _LeftError:
        extractor = str(edge.relationship_metadata.get("extractor", ""))
        if not said.place:
            return _LeftError("record", "a file of relationships states it: correct it where the records are made")
        if said.place == "body" and extractor not in ("markdown_links", "wiki_links"):
            return _LeftError("mention", f"running text mentions it: {said.line[:200]!r}")
        words = f"{said.field}: {said.raw}" if said.field else said.line
        return _LeftError("no_place", f"it cannot be changed alone where it stands: {words[:200]!r}")

    # ------------------------------------------------------------ trying texts

    def _try(
        self, document: Document, texts: Callable[[str, str], Iterable[Candidate]], holds: Callable[[Edges], bool]
    ) -> bool:
        """Lay the first text over a file of the document with which it holds; False when none does."""
        before = self.files.laid
        for name in self.files.files_of(document.document_id):
            encoding, text = self.files.encoding(name).replace("utf-8-sig", "utf-8"), self._text(name)
            tried = set[str]()
            for candidate in islice(texts(name, text), MAX_TRIED):
                if candidate.text == text or candidate.text in tried:
                    continue
                tried.add(candidate.text)
                try:
                    data = candidate.text.encode(encoding)
                except UnicodeEncodeError:
                    continue
                self.files.lay({**before, name: data})
                found = self.files.again(document.document_id)
                if found is not None and holds(found[1]) and _else_as_before(document, found[0], candidate.field):
                    self._states[document.document_id] = found
                    self._documents[name] = document.document_id
                    return True
        self.files.lay(before)
        return False

    def _text(self, name: str) -> str:
        return self.files.data(name).decode(self.files.encoding(name).replace("utf-8-sig", "utf-8"))

    def _named(self, document_id: str) -> Named:
        stored = self.stored.get(document_id)
        return Named(document_id, stored.title if stored else "", stored.source if stored else "")

    def _fields(self, relation_type: str) -> list[str]:
        """Fields in which the corpus states a type, the usual one first."""
        counts: Counter[str] = Counter()
        for edge in self.examples:
            if edge.relation_type == relation_type and (said := said_of(edge)).field:
                counts[said.field] += 1
        return [name for name, _ in counts.most_common(5)]

    def _spelled(
        self, key: EdgeKey, types: Sequence[str], *fields: str, first: Sequence[tuple[str, str]] = ()
    ) -> tuple[str, ...]:
        """Ways to write the target of ``key``: as this document writes others, then as the corpus does."""
        own = sorted(self._state(key[0])[1].values(), key=lambda e: field_key(said_of(e).field) not in fields)
        like = [edge for edge in self.examples if edge.relation_type in types]
        pairs = [*first, *(_raw(edge, edge.to_document_id) for edge in [*own, *like] if said_of(edge).field)]
        examples = ((part.strip(), self._named(i)) for raw, i in pairs for part in (raw, *raw.split(",")))
        return spellings(self._named(key[2]), self._named(key[0]), examples)


def _anchors(edge: Relationship | None) -> list[str]:
    return [] if edge is None else [each.anchor for each in edge.sections]


def _raw(edge: Relationship, target: str) -> tuple[str, str]:
    return said_of(edge).raw, target


def _styled(document: Document, relation_type: str) -> str:
    """A relation type as a field of this document: with ``-`` where its other fields have that."""
    dashed = any("-" in name for name in document.metadata)
    return relation_type.replace("_", "-") if dashed else relation_type


def _else_as_before(before: Document, after: Document, touched: str) -> bool:
    """Whether two readings of a document differ in the field ``touched`` only ("" = in the text only)."""
    if (before.title, before.doc_type, before.summary) != (after.title, after.doc_type, after.summary):
        return False
    if _others(before.metadata, touched) != _others(after.metadata, touched):
        return False
    return not touched or before.text == after.text or "header" in before.metadata


def _others(metadata: Mapping[str, Any], touched: str) -> dict[str, Any]:
    rest = {name: value for name, value in metadata.items() if not touched or field_key(name) != field_key(touched)}
    header = rest.get("header")
    if isinstance(header, dict):
        rest["header"] = _others(header, touched)
    return rest
