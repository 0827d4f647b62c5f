"""Finds documents that are called alike, so that a link or a mention by name cannot tell which of them is meant."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.imports.fields import status_word
from docgraph.domain.naming import name_key, other_names
from docgraph.domain.standing import INACTIVE
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import is_containment, joined
from docgraph.plugins.checks._specimens import is_specimen
from docgraph.plugins.checks._succession import succession_of
from docgraph.plugins.checks._wording import MAX_NAMED, counted, plain
from docgraph.ports import Outcome, RelationshipGraph

UNTITLED = "untitled"
"""Metadata field of a document whose title is only the beginning of its text."""
STUB = "stub"
"""Metadata field in which an import with a profile says why a document is only a stub."""
FIRST_PAGES = frozenset(("index", "_index", "readme", "summary"))
"""What the first page of a folder, or of a book, is called."""


class AmbiguousTitle(BaseCheck):
    """Two documents share a title or an alias, whatever its case and its marks.

    Passed over is what nobody means by the name: documents whose status is inactive or that another one replaced,
    stubs, templates and the data of tests, and a title that is only the name of its file (links by that are
    ``ambiguous_name``'s); documents of one name that a format itself relates (a parent and its child), or that are
    parts of different wholes; and those whose place says which is meant: copies of one text, files that are called
    alike in different folders (``compiler/meetings``, ``rustdoc/meetings``), the first pages of a folder and of one
    inside it, and three or more files whose names go on where the title ends (``faq-billing``, ``faq-login`` …).

    Where more than ``custom`` of the documents share a name, names are not what tells them apart there, and the check
    is silent; of fewer than ``min_documents`` nothing can be said about a custom.
    """

    check_id = "ambiguous_title"
    title = "One name for several documents"
    why = "A link or mention with this name can mean any of them, so it leads to none. Rename one of them."
    unit = "documents"
    parameters: Mapping[str, Any] = {"custom": 0.2, "min_documents": 40}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a name; a person gives one of the documents another title or alias."""
        replaced = succession_of(graph).successors
        meant = {i: d for i, d in graph.each(graph.documents.items()) if i not in replaced and _holds(d)}
        called: dict[str, dict[str, str]] = defaultdict(dict)
        for document_id, document in graph.each(meant.items()):
            for key, name in _names(document):
                called[key].setdefault(document_id, name)
        shared: dict[tuple[str, ...], str] = {}
        for _, names in graph.each(sorted(called.items())):
            group = _without_copies(sorted(names), graph)
            if len(group) > 1:
                shared.setdefault(group, names[group[0]])
        groups = [group for group in sorted(shared) if not joined(group, _between(graph, group))]
        groups = [group for group in groups if not _in_different_wholes(graph, group)]
        groups = [group for group in groups if not _told_by_place([graph.documents[each] for each in group])]
        n_shared = len({document_id for group in groups for document_id in group})
        if len(meant) >= parameters["min_documents"] and n_shared > parameters["custom"] * len(meant):
            said = f"{n_shared:,} of {len(meant):,} documents share a name with another"
            return Outcome(0, skipped=f"{said}, so this is usual here")
        findings = [self._finding(graph, group, shared[group]) for group in graph.each(groups)]
        return Outcome(len(meant), findings, "" if meant else "there is no document that holds")

    def _finding(self, graph: RelationshipGraph, group: tuple[str, ...], name: str) -> Finding:
        by_title = all(name_key(graph.documents[each].title) == name_key(name) for each in group)
        texts = {a for each in group for a in _naming(graph, each) if by_title and a not in group}
        said = f"“{name}” names {len(group):,} documents: {', '.join(group[:MAX_NAMED])}"
        if len(group) > MAX_NAMED:
            said += f" and {len(group) - MAX_NAMED:,} more"
        if texts:
            said += f"; {counted(len(texts), 'text')} {'names' if len(texts) == 1 else 'name'} it"
        return self.finding(said, document_ids=group)


def _in_different_wholes(graph: RelationshipGraph, group: tuple[str, ...]) -> bool:
    """Whether each is a part of another whole, as a format states: such a name is read inside of its document."""
    wholes = [frozenset(e.key[2] for e in graph.outgoing.get(each, ()) if is_containment(e)) for each in group]
    return all(wholes) and len(set(wholes)) == len(group)


def _between(graph: RelationshipGraph, group: tuple[str, ...]) -> Iterator[Relationship]:
    """The relationships that start at documents of a group."""
    return (edge for each in group for edge in graph.outgoing.get(each, ()))


def _holds(document: StoredDocument) -> bool:
    is_meant = not {STUB, UNTITLED} & document.metadata.keys() and status_word(document.metadata) not in INACTIVE
    return is_meant and not is_specimen(document)


def _names(document: StoredDocument) -> Iterator[tuple[str, str]]:
    """The title and aliases, each folded and as written; not addresses, which are another page's or none's."""
    stem = posixpath.splitext(posixpath.basename(document.source))[0]
    for name in (document.title, *other_names(document.metadata)):
        if not name.startswith("/") and name != stem and (key := name_key(name)):
            yield key, name


def _without_copies(group: Sequence[str], graph: RelationshipGraph) -> tuple[str, ...]:
    """The first of each text: copies, and files that are links to one another, say the same whichever is meant."""
    first: dict[str, str] = {}
    for document_id in group:
        first.setdefault(graph.documents[document_id].content_hash or document_id, document_id)
    return tuple(first.values())


def _told_by_place(group: Sequence[StoredDocument]) -> bool:
    """Whether folders and file names tell these documents of one name apart."""
    places = [_place(document) for document in group]
    folders, stems = [folder for folder, _ in places], [stem for _, stem in places]
    if len(set(stems)) == 1 and len(set(folders)) == len(group):
        return True
    if all(_is_first_page(document) for document in group):
        shortest = min(_folder(document) for document in group)
        return all(f"{_folder(document)}/".startswith(f"{shortest}/" if shortest else "") for document in group)
    title = plain(group[0].title)
    goes_on = len(group) > 2 and len(set(stems)) == len(group)
    return goes_on and all(len(stem) > len(title) and plain(stem).startswith(f"{title} ") for stem in stems)


def _place(document: StoredDocument) -> tuple[str, str]:
    """(folder, name) of a document; the first page of a folder is called as the folder is."""
    folder = _folder(document)
    if _is_first_page(document):
        above, _, name = folder.rpartition("/")
        return above, name
    return folder, _stem(document)


def _is_first_page(document: StoredDocument) -> bool:
    return _stem(document) in FIRST_PAGES


def _stem(document: StoredDocument) -> str:
    return posixpath.splitext(posixpath.basename(_path(document)))[0]


def _folder(document: StoredDocument) -> str:
    return posixpath.dirname(_path(document))


def _path(document: StoredDocument) -> str:
    return (document.source or document.document_id).replace("\\", "/").casefold()


def _naming(graph: RelationshipGraph, document_id: str) -> Iterator[str]:
    """Documents whose text names this one."""
    return (
        edge.from_document_id
        for edge in graph.incoming.get(document_id, ())
        if (edge.from_document_id, document_id) in graph.mentions
    )


build = AmbiguousTitle
