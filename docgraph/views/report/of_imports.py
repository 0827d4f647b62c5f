"""Differences between imports: in a sentence, as JSON, and as a feed (Atom, RFC 4287) that a reader subscribes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from docgraph.domain.imports.record import ImportDiff, ImportSummary, QuestionChange, Redirected, Withdrawn
from docgraph.domain.saved_run import DataChange, DocumentEdit
from docgraph.views.report.file import json_text
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment
from docgraph.views.words.texts import clean, line

ATOM = "http://www.w3.org/2005/Atom"
MAX_LISTED = 50
"""Lines of one kind that an entry of the feed holds."""
_GONE: dict[DataChange, str] = {"added": "added", "removed": "removed", "changed": "changed", "renamed": "renamed"}
_TYPES = 3


def diff_sentence(diff: ImportDiff) -> str:
    """``4 requires gone, 2 targets withdrawn, 3 saved questions answered differently``; ``nothing is different``."""
    parts = list(_parts(diff))
    return ", ".join(parts) if parts else "no differences"


def since_sentence(diff: ImportDiff) -> str:
    """``Since 16 Nov 2026, 08:00 UTC: 4 requires gone, …``: what is different from after the older import."""
    return f"Since {moment(diff.before.at)}: {diff_sentence(diff)}"


def _parts(diff: ImportDiff) -> Iterator[str]:
    documents = Counter(each.change for each in diff.documents)
    for change, word in _GONE.items():
        if documents[change]:
            yield f"{plural(documents[change], 'document')} {word}"
    for change, word in (("removed", "gone"), ("added", "new")):
        types = Counter(each.key[1] for each in diff.relationships if each.change == change).most_common()
        yield from (f"{n:,} {line(name)} {word}" for name, n in types[:_TYPES])
        rest = sum(n for _, n in types[_TYPES:])
        if rest:
            yield f"{plural(rest, 'more relationship')} {word}"
    for retyped, word in ((False, "to another target"), (True, "of another type")):
        if n := sum(each.retyped is retyped for each in diff.redirected):
            yield f"{plural(n, 'relationship')} {word}"
    if diff.withdrawn:
        targets = sum(each.n_relationships > 0 for each in diff.withdrawn)
        if targets:
            yield f"{plural(targets, 'target')} withdrawn"
        if rest := len(diff.withdrawn) - targets:
            yield f"{plural(rest, 'document')} withdrawn without relationships to them"
    if diff.moved:
        yield f"{plural(len(diff.moved), 'document')} moved elsewhere"
    if diff.missing:
        yield f"{plural(len(diff.missing), 'relationship')} without a target now"
    if diff.questions:
        yield f"{plural(len(diff.questions), 'saved question')} answered differently"


def question_words(change: QuestionChange) -> str:
    """``out: a, b; in: c``; ``in another order``; says where there was, or is, no plan."""
    if change.before is None or change.after is None:
        return "it had no plan before" if change.before is None else "it no longer has a plan"
    out = [each for each in change.before if each not in change.after]
    into = [each for each in change.after if each not in change.before]
    said = [f"{word}: {', '.join(ids)}" for word, ids in (("removed", out), ("added", into)) if ids]
    return "; ".join(said) or "in a different order"


def as_json(diff: ImportDiff) -> str:
    """The value itself with its sentence; ``ImportDiff.model_validate`` reads ``diff``."""
    return json_text({"sentence": diff_sentence(diff), "diff": diff.model_dump(mode="json")})


def as_feed(workspace: str, imports: Sequence[ImportSummary], diffs: Sequence[ImportDiff]) -> bytes:
    """One entry for each of ``diffs``, newest first; ``imports`` = all that are kept, newest first.

    Equal data give equal bytes. Titles and ids are text: nothing in it is a link but the ids of feed and entries
    (``urn:``), and no entry is in markup.
    """
    feed = ElementTree.Element("feed", xmlns=ATOM)
    _put(feed, "id", f"urn:docgraph:{workspace}")
    _put(feed, "title", f"docgraph: {workspace}")
    _put(feed, "updated", imports[0].at if imports else "1970-01-01T00:00:00+00:00")
    for diff in diffs:
        entry = ElementTree.SubElement(feed, "entry")
        _put(entry, "id", f"urn:docgraph:{workspace}:{diff.before.import_id}:{diff.after.import_id}")
        _put(entry, "title", f"{diff.after.source}: {diff_sentence(diff)}")
        _put(entry, "updated", diff.after.at)
        author = ElementTree.SubElement(entry, "author")
        _put(author, "name", diff.after.by or "docgraph")
        _put(entry, "content", "\n".join(lines(diff)))
    ElementTree.indent(feed)
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)) + b"\n"


def lines(diff: ImportDiff) -> Iterator[str]:
    """What is different, a line each: documents, relationships, withdrawn targets, saved questions."""
    for title, said in listed(diff).items():
        yield f"{title}: {len(said):,}"
        yield from (f"  {each}" for each in said[:MAX_LISTED])
        if len(said) > MAX_LISTED:
            yield f"  and {len(said) - MAX_LISTED:,} more"


def listed(diff: ImportDiff) -> dict[str, list[str]]:
    """Title → a line for each difference of that kind; kinds without one are not there. Hostile text."""
    edges = {
        word: [
            f"{line(e.from_title)} —{line(e.key[1])}→ {line(e.to_title)}" for e in diff.relationships if e.change == was
        ]
        for was, word in (("removed", "Removed relationships"), ("added", "New relationships"))
    }
    documents = {
        f"Documents {word}": [_document(each) for each in diff.documents if each.change == change]
        for change, word in _GONE.items()
    }
    found = {
        **documents,
        **edges,
        "Changed relationships": list(map(_redirected, diff.redirected)),
        "Withdrawn": list(map(_withdrawn, diff.withdrawn)),
        "Moved elsewhere": list(map(_withdrawn, diff.moved)),
        "Without a target now": [f"{line(a)} —{line(via)}→ {line(b)}" for a, via, b in diff.missing],
        "Saved questions answered differently": [
            f"{line(each.query)}: {line(question_words(each))}" for each in diff.questions
        ],
    }
    return {title: said for title, said in found.items() if said}


def _redirected(each: Redirected) -> str:
    """``A —requires→ C, before: B``; ``A —refines→ B, before: —requires→``."""
    now = f"{line(each.from_title)} —{line(each.after[1])}→ {line(each.title_after)}"
    return f"{now}, before: {f'—{line(each.before[1])}→' if each.retyped else line(each.title_before)}"


def _withdrawn(each: Withdrawn) -> str:
    return f"{line(each.title)}: {line(each.status)}, {plural(each.n_relationships, 'relationship')} to it"


def _document(edit: DocumentEdit) -> str:
    before = f", before: {line(edit.title_before)}" if edit.title_before else ""
    return f"{line(edit.title)} ({line(edit.document_id)}){before}"


def _put(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = "\n".join(clean(each) for each in text.split("\n"))
