"""Groups what was not read by its cause, the rarest first."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import field_key
from docgraph.domain.imports.look import Unread
from docgraph.domain.report import IngestReport
from docgraph.ingestion.names import shown, suffix_of
from docgraph.ingestion.profiling.conventions import values_in

_LINK = re.compile(r"\[\[[^\[\]\n]{1,200}\]\]|\]\((?!#)[^()\s]{1,500}\)|`[^`<>]{0,300}<[^<>`\s]{1,500}>`_")


def with_notice(report: IngestReport, documents: Iterable[Document], related: Collection[str]) -> IngestReport:
    """The report, with a first line where documents were written, no relationship was, and yet targets are named."""
    if not report.n_written or report.n_relationships:
        return report
    n_named = sum(_named(document, related) for document in documents)
    beside = sum(cause.beside for cause in report.causes)
    if not n_named and not beside:
        return report
    named = [f"their texts and metadata name {n_named:,} targets"] if n_named else []
    named += [f"{beside:,} files beside them were not read"] if beside else []
    way = "" if report.reading else "; analyse the folder first: --profile auto"
    notice = f"0 relationships of {report.n_written:,} documents, though {' and '.join(named)}{way}"
    return report.model_copy(update={"notice": notice})


def _named(document: Document, related: Collection[str]) -> int:
    fields = (*document.metadata.items(), *dict(document.metadata.get("header") or {}).items())
    declared = sum(len(values_in(value)) for name, value in fields if field_key(str(name)) in related)
    return declared + sum(1 for _ in _LINK.finditer(document.text))


MAX_PLACES = 5
_VARIES = re.compile(r"'[^']{0,300}'|\"[^\"]{0,300}\"|\d[\d,.]*")
_NO_LOADER = "no loader reads "
_OFTEN, _MOST = 3, 0.5


MAX_CAUSES = 200
MAX_NOTED = 200_000


class Causes:
    """Collects what is rejected, and groups it at the end."""

    def __init__(self) -> None:
        self._noted: list[tuple[str, str]] = []

    def add(self, source: str, reason: str) -> None:
        """One more; those beyond 200,000 are in no group."""
        if len(self._noted) < MAX_NOTED:
            self._noted.append((source, reason))

    def grouped(self, documents: Collection[str]) -> tuple[Unread, ...]:
        """The groups, the rarest first; at most 200."""
        return unread_by_cause(self._noted, documents)[:MAX_CAUSES]


def unread_by_cause(refused: Iterable[tuple[str, str]], documents: Collection[str]) -> tuple[Unread, ...]:
    """(source, reason) of each refusal, grouped: equal but for quoted words and numbers is one cause; rarest first."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for source, reason in refused:
        groups[_VARIES.sub("…", _without_place(reason))].append((source, reason))
    pages = _pages(documents)
    found = []
    for cause, members in groups.items():
        if members[0][1].startswith(_NO_LOADER):
            found.append(_no_loader(members, pages))
        elif len(members) == 1:
            found.append(Unread(n=1, cause=members[0][1], places=(shown(members[0][0]),)))
        else:
            reasons = {_without_place(reason) for _, reason in members}
            common = reasons.pop() if len(reasons) == 1 else ""
            places = tuple(shown(_place(source, reason, common)) for source, reason in members[:MAX_PLACES])
            found.append(Unread(n=len(members), cause=common or cause, places=places))
    return tuple(sorted(found, key=lambda each: (each.n, each.cause)))


def _without_place(reason: str) -> str:
    """A reason up to the field and line that it names."""
    return reason.partition(": field ")[0].partition(" in line ")[0]


def _place(source: str, reason: str, common: str) -> str:
    """A source, and what its reason says beyond the common cause."""
    more = reason.removeprefix(common).strip(" :") if common else reason
    return f"{source}: {more}" if more else source


def _no_loader(members: list[tuple[str, str]], pages: dict[str, str]) -> Unread:
    """Files that nothing reads: how many lie beside a document of their folder, by their names where those repeat."""
    suffix = suffix_of(members[0][0])
    what = suffix or "files without a suffix"
    named = Counter(posixpath.basename(source) for source, _ in members)
    beside: Counter[tuple[str, str]] = Counter()
    for source, _ in members:
        folder, base = posixpath.split(source)
        if named[base] >= _OFTEN and folder in pages:
            beside[base, pages[folder]] += 1
    more = "".join(f", {n:,} of them {base} beside {page}" for (base, page), n in beside.most_common(1))
    tops = Counter(source.split("/", 1)[0] for source, _ in members if "/" in source)
    top, n_top = next(iter(tops.most_common(1)), ("", 0))
    if len(tops) > 1 and n_top >= max(_OFTEN, _MOST * len(members)):
        more += f", {n_top:,} of them in {shown(top)}/"
    places = tuple(shown(source) for source, _ in members[:MAX_PLACES])
    return Unread(n=len(members), cause=f"{_NO_LOADER}{what}{more}", beside=sum(beside.values()), places=places)


def _pages(documents: Collection[str]) -> dict[str, str]:
    """Folder → the page of it, or its only document."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in documents:
        found[posixpath.dirname(name)].append(posixpath.basename(name))
    pages = {}
    for folder, names in found.items():
        page = next((n for n in sorted(names) if n.casefold().rsplit(".", 1)[0] in ("readme", "index")), None)
        if page or len(names) == 1:
            pages[folder] = page or names[0]
    return pages
