"""Proposals out of what was read of a folder: each sets a part of the profile, with counts and examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.imports import numbering
from docgraph.domain.imports.fields import field_key
from docgraph.domain.imports.look import MAX_EXAMPLES, Example, Proposal, ProposalId
from docgraph.domain.imports.numbering import SeriesWords
from docgraph.domain.imports.profile import ImportProfile, Series
from docgraph.ingestion.names import shown
from docgraph.ingestion.profiling import addresses, conventions
from docgraph.ingestion.profiling.addresses import Learnt, Mention
from docgraph.ingestion.profiling.headers import Gathered, Head
from docgraph.ingestion.profiling.paths import PAGES, PathIndex

_FOLDER_SHARE = 0.5
_FEW_FOLDERS = 3
MAX_SENTENCE = 600
Part = tuple[dict[str, Any], Proposal]
"""Fields of the profile, and the proposal that sets them."""


@dataclass(frozen=True)
class Folder:
    """What proposals are made of: heads, names in metadata (``declared``) and in texts (``links``), and what is known.

    ``page``, ``bases`` and ``roots`` were learnt before the others, which count with them.
    """

    gathered: Gathered
    documents: Sequence[str]
    places: PathIndex
    related: Collection[str]
    declared: Sequence[Mention]
    links: Sequence[Mention]
    page: str | None
    bases: Learnt
    roots: Learnt

    @property
    def heads(self) -> Sequence[Head]:
        """The heads in order of their names."""
        return list(self.gathered.heads.values())


def proposed(
    gathered: Gathered, documents: Sequence[str], places: PathIndex, related: Collection[str]
) -> tuple[ImportProfile, list[Proposal]]:
    """The profile of a folder and its proposals, in the order in which they are told."""
    declared = [
        Mention(name, value)
        for name in documents
        for field, given in gathered.all_fields(name).items()
        if field_key(field) in related
        for value in conventions.values_in(given)
    ]
    links = [Mention(head.name, link.href) for head in gathered.heads.values() for link in head.links]
    folder = Folder(
        gathered=gathered,
        documents=documents,
        places=places,
        related=related,
        declared=declared,
        links=links,
        page=_page(documents),
        bases=addresses.learn_bases(_without([*links, *declared], gathered.elsewhere), places),
        roots=addresses.learn_roots([*links, *_with_root(declared)], places),
    )
    parts = [part for make in _MAKERS if (part := make(folder)) is not None]
    values = {name: value for fields, _ in parts for name, value in fields.items()}
    return ImportProfile(**values), [proposal for _, proposal in parts]


def _proposal(
    id: ProposalId, title: str, sentence: str, unit: str, mentions: Sequence[Mention], *, n: int | None = None
) -> Proposal:
    """``n`` is the number of mentions unless something else is counted."""
    examples = tuple(
        Example(source=shown(each.source), text=shown(each.text) if each.text else "")
        for each in mentions[:MAX_EXAMPLES]
    )
    text = "".join(character if character.isprintable() else " " for character in sentence)[:MAX_SENTENCE]
    return Proposal(
        id=id, title=title, sentence=text, n=len(mentions) if n is None else n, unit=unit, examples=examples
    )


def _sidecars(folder: Folder) -> Part | None:
    gathered = folder.gathered
    if not gathered.sidecars:
        return None
    mentions = [
        Mention(name, f"{field}: {target}")
        for name in sorted(gathered.fields)
        for field, value in gathered.fields[name].items()
        if field_key(field) in folder.related
        for target in conventions.values_in(value)
    ]
    told = ", ".join(f"{len(pairs):,} {pattern}" for pattern, pairs in gathered.sidecars.items())
    owners = Counter(pair.document for pairs in gathered.sidecars.values() for pair in pairs)
    several = sum(n > 1 for n in owners.values())
    told += f" ({several:,} documents have more than one)" if several else ""
    text = f"{told} lie beside a document and name {len(mentions):,} targets: read as its front matter"
    n = sum(len(pairs) for pairs in gathered.sidecars.values())
    fields = {"sidecars": tuple(gathered.sidecars)}
    return fields, _proposal("sidecars", "Sidecars", text, "files", mentions, n=n)


def _folders(folder: Folder) -> Part | None:
    if folder.page is None:
        return None
    pages = [Mention(name, "") for name in folder.documents if _is_page(name, folder.page)]
    text = (
        f"{len(pages):,} of {len(folder.documents):,} documents are the {folder.page} of a folder: "
        "the folder's name is their id"
    )
    fields = {"one_per": "folder", "page": folder.page}
    return fields, _proposal("folders", "A document is a folder", text, "documents", pages)


def _base(folder: Folder) -> Part | None:
    bases = folder.bases
    if not bases.found:
        return None
    declared = {(each.source, each.text) for each in folder.declared}
    n_declared = sum((each.source, each.text) in declared for each in bases.mentions)
    n_links = len(bases.mentions) - n_declared
    told = [f"{n:,} {what}" for n, what in ((n_links, "links"), (n_declared, "declared targets")) if n]
    text = f"{' and '.join(told)} go to {_first_of(bases)}: read as this folder"
    fields = {"base": tuple(bases.found), "outside": addresses.outside_of(bases.found)}
    return fields, _proposal("base", "Base address", text, "targets", bases.mentions)


def _root(folder: Folder) -> Part | None:
    roots = folder.roots
    if not roots.found:
        return None
    text = f"{len(roots.mentions):,} targets start with {', '.join(roots.found)}, which is the top of this folder"
    return {"root": tuple(roots.found)}, _proposal("root", "Root prefix", text, "targets", roots.mentions)


def _numbers(folder: Folder) -> Part | None:
    heads = folder.gathered.heads
    numbered = [
        numbering.Numbered(
            document=name,
            stem=numbering.stem_of(name, folder.page),
            fields=folder.gathered.all_fields(name),
            title=heads[name].title if name in heads else "",
            text=heads[name].text if name in heads else "",
        )
        for name in folder.documents
    ]
    found: list[Series] = []
    told, examples = [], []
    words = SeriesWords(folder.gathered.name)
    for each in folder.heads:
        words.note(each.name, each.name, title=each.title, text=each.text, named=each.named)
    for series, own in numbering.learn_series(numbered, dict(words.called())):
        mentions = [*folder.links, *folder.declared]
        by_address = addresses.learn_numbered(mentions, own, tuple(folder.bases.found))
        found.append(series.model_copy(update={"addresses": tuple(by_address.found)}))
        mark = f"{series.word}-" if series.word else ""
        source = f"the field {series.field} and names" if series.field else "names"
        line = f"{mark}N, {len(own):,} documents by {source}"
        if by_address.found:
            line += f"; {len(by_address.mentions):,} links name one by {_first_of(by_address)}"
        told.append(line)
        examples += [Mention(name, f"{mark}{own[name]}") for name in sorted(own)]
    if not found:
        return None
    return {"numbers": tuple(found)}, _proposal("numbers", "Number series", "; ".join(told), "documents", examples)


def _empty(folder: Folder) -> Part | None:
    empty = conventions.placeholders(folder.declared)
    if not empty:
        return None
    words = _counted(each.text.strip() for each in empty)
    text = f"{len(empty):,} targets say {words}: read as empty, not as errors"
    fields = {"empty": tuple(sorted({conventions.plain_word(each.text) for each in empty}))}
    return fields, _proposal("empty", "Words that mean nothing", text, "targets", empty)


def _boilerplate(folder: Folder) -> Part | None:
    common = conventions.boilerplate(folder.heads, tuple(folder.roots.found), folder.places)
    if not common:
        return None
    mentions = [each for found in common.values() for each in found]
    told = ", ".join(f"{target} by {len(found):,}" for target, found in common.items())
    text = f"Linked in the same words by many of {len(folder.heads):,} documents: {told}; counted, no relationship"
    return {"boilerplate": tuple(common)}, _proposal("boilerplate", "Boilerplate target", text, "documents", mentions)


def _citations(folder: Folder) -> Part | None:
    cited = [head for head in folder.heads if head.n_citations]
    if not cited:
        return None
    n = sum(head.n_citations for head in cited)
    text = f"{n:,} citations are written [[1]](address): read as links, not as notes by that name"
    found = [Mention(head.name, head.citation) for head in cited]
    return {"citations": True}, _proposal("citations", "Citations", text, "citations", found, n=n)


def _stubs(folder: Folder) -> Part | None:
    stub_values, stubs = conventions.stub_values((name, folder.gathered.all_fields(name)) for name in folder.documents)
    known = {stub.source for stub in stubs}
    short = [each for each in conventions.short_texts(folder.heads) if each.source not in known]
    if not stubs and not short:
        return None
    parts = [f"{len(stubs):,} say so in their metadata"] if stubs else []
    parts += [f"{len(short):,} have fewer than {conventions.SHORT} characters of text"] if short else []
    text = f"{' and '.join(parts)}: stored, and marked as stubs"
    fields = {"stub_values": stub_values, "stub_below": conventions.SHORT if short else 0}
    return fields, _proposal("stubs", "Stubs", text, "documents", [*stubs, *short])


def _templates(folder: Folder) -> Part | None:
    skipped = conventions.template_folders(folder.heads)
    if not skipped:
        return None
    mentions = [each for found in skipped.values() for each in found]
    found = f"{len(mentions):,} file{'s' if len(mentions) != 1 else ''}"
    are = "is a template of a page: no document" if len(mentions) == 1 else "are templates of pages: no documents"
    text = f"{found} in {', '.join(skipped)} {are}"
    return {"skip": tuple(skipped)}, _proposal("templates", "Templates", text, "files", mentions)


_MAKERS: tuple[Callable[[Folder], Part | None], ...] = (
    _sidecars,
    _folders,
    _base,
    _root,
    _numbers,
    _empty,
    _boilerplate,
    _citations,
    _stubs,
    _templates,
)


def _first_of(learnt: Learnt) -> str:
    """The most frequent beginning, and how many more there are."""
    first, *others = learnt.found
    return f"{first} and {len(others):,} more" if others else first


def _page(documents: Sequence[str]) -> str | None:
    """The page by which most documents are a folder each, as it is written; None where documents are files."""
    for page in PAGES:
        found = [name for name in documents if _is_page(name, page)]
        if len(found) >= max(_FEW_FOLDERS, _FOLDER_SHARE * len(documents)):
            return found[0].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return None


def _is_page(name: str, page: str) -> bool:
    folder, _, base = name.rpartition("/")
    return bool(folder) and base.rsplit(".", 1)[0].casefold() == page.casefold()


def _without(mentions: Iterable[Mention], elsewhere: Sequence[str]) -> Iterable[Mention]:
    """Those that do not lead to one of the addresses of other projects."""
    return (m for m in mentions if not any(addresses.after_base(m.text, each) is not None for each in elsewhere))


def _with_root(declared: Iterable[Mention]) -> Iterable[Mention]:
    """Declared paths; those without ``/`` in front are seen from the top too."""
    for each in declared:
        if "/" in each.text and not addresses.is_web(each.text) and " " not in each.text:
            yield each if each.text.startswith("/") else Mention(each.source, f"/{each.text}")


def _counted(words: Iterable[str]) -> str:
    counted: dict[str, int] = {}
    for word in words:
        counted[word] = counted.get(word, 0) + 1
    return ", ".join(f"{word} ({n:,})" for word, n in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
