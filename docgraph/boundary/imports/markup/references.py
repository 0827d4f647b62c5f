"""What a text written for Sphinx refers to and defines: references, labels, terms, needs, projects, anchors."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from docgraph.boundary.limits import MAX_LINKS
from docgraph.domain.graph import Document, StoredDocument
from docgraph.ports import Anchor, SphinxProject

DEFINES = "defines"
"""Field of metadata that says what others may refer to in a document: its ``labels``, ``terms`` and ``needs``."""
MAX_DEFINED = 5_000
MAX_NAME = 300
_TITLED = re.compile(r"(?:.*[^\\])?<([^<>]{1,500})>\s*", re.DOTALL)


@dataclass(frozen=True)
class Reference:
    """One place that refers to something: ``kind`` is the role or directive, ``start`` … ``end`` where it stands."""

    kind: str
    target: str
    start: int
    end: int


@dataclass
class Markup:
    """References in text order; ``labels`` (folded) → title of the section, ``terms`` of glossaries, ids of needs."""

    references: list[Reference] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    terms: dict[str, None] = field(default_factory=dict)
    needs: dict[str, None] = field(default_factory=dict)

    def label(self, name: str, section: str) -> None:
        """Keep a label; the first of one name counts."""
        key = folded(name)
        if key and len(key) <= MAX_NAME and len(self.labels) < MAX_DEFINED:
            self.labels.setdefault(key, section[:MAX_NAME])

    def term(self, name: str) -> None:
        """Keep a term of a glossary."""
        _keep(self.terms, folded(name))

    def need(self, name: str) -> None:
        """Keep the id of a need."""
        _keep(self.needs, name.strip())

    @property
    def defines(self) -> dict[str, Any]:
        """What is kept of it as metadata; empty for a text that defines nothing."""
        found = {"labels": self.labels, "terms": list(self.terms), "needs": list(self.needs)}
        return {name: value for name, value in found.items() if value}


class Scan(ABC):
    """One pass over a text's lines; prose is gathered in stretches, because a role may go over a line's end."""

    def __init__(self, text: str) -> None:
        self.markup = Markup()
        self._text, self._lines = text, text.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines[:-1]), initial=0))
        self._section = ""
        self._waiting: list[str] = []
        self._prose = -1

    def run(self) -> Markup:
        """Go through all lines; what they refer to and define."""
        at = 0
        while at < len(self._lines):
            at = self._line(at)
        self._flush(len(self._text))
        self._settle()
        self.markup.references.sort(key=lambda each: each.start)
        return self.markup

    @abstractmethod
    def _line(self, at: int) -> int:
        """Read one line, and what belongs to it; the number of the next one."""

    @abstractmethod
    def _inline(self, start: int, end: int) -> None:
        """Read a stretch of prose."""

    def _settle(self) -> None:
        """Labels that stand before something else than a title belong to the section that they stand in."""
        for label in self._waiting:
            self.markup.label(label, self._section)
        self._waiting.clear()

    def _flush(self, end: int) -> None:
        if self._prose >= 0:
            self._inline(self._prose, end)
            self._prose = -1

    def _add(self, *found: Reference) -> None:
        self.markup.references += found[: max(MAX_LINKS - len(self.markup.references), 0)]


def with_defined(metadata: dict[str, Any], markup: Markup) -> dict[str, Any]:
    """The metadata with what the text defines; a field of that name which the author wrote stays."""
    found = markup.defines
    return {**metadata, DEFINES: found} if found and DEFINES not in metadata else metadata


def folded(name: str) -> str:
    """A label or term as it is compared: in lower case, with single spaces."""
    return " ".join(name.split()).casefold()


def target_of(content: str) -> str:
    """What a role's content names: ``the pump <pump-sec>`` → ``pump-sec``; empty where it is no link (``!name``)."""
    if content.startswith("!"):
        return ""
    titled = _TITLED.fullmatch(content)
    return " ".join((titled[1] if titled else content).split())


def entries_of(lines: Iterator[tuple[str, int]], *, glob: bool) -> Iterator[Reference]:
    """The entries of a table of contents; ``lines`` with their places. Web addresses and ``self`` name no document."""
    for line, start in lines:
        entry = line.strip()
        if not entry or entry.startswith((":", "..", "#", "%")):
            continue
        name = target_of(entry)
        if name and name != "self" and "://" not in name:
            kind = "glob" if glob and any(mark in name for mark in "*?[") else "toctree"
            yield Reference(kind, name, start, start + len(line))


def _keep(names: dict[str, None], name: str) -> None:
    if name and len(name) <= MAX_NAME and len(names) < MAX_DEFINED:
        names.setdefault(name)


_SECTIONS = (".rst", ".rest")
"""Where a section's title is a label by itself (autosectionlabel)."""
MAX_SECTIONS = 500


def anchors_of(document: Document | StoredDocument) -> list[tuple[str, Anchor]]:
    """(name as it is compared, where it leads), labels first."""
    document_id, defines = document.document_id, document.metadata.get(DEFINES)
    found: list[tuple[str, Anchor]] = []
    if isinstance(defines, Mapping):
        labels = defines.get("labels")
        for name, section in labels.items() if isinstance(labels, Mapping) else ():
            found.append((folded(str(name)), Anchor(document_id, "label", str(section))))
        found += [(folded(name), Anchor(document_id, "term")) for name in _texts(defines.get("terms"))]
        found += [(folded(name), Anchor(document_id, "need")) for name in _texts(defines.get("needs"))]
    if document.source.casefold().endswith(_SECTIONS):
        titles = dict.fromkeys((document.title, *_headings(document)))
        found += [(folded(each), Anchor(document_id, "section", each)) for each in list(titles)[:MAX_SECTIONS]]
    return found


def gathered(found: Iterable[tuple[str, Anchor]]) -> dict[str, tuple[Anchor, ...]]:
    """Name → every place that has it, in the order given."""
    anchors: dict[str, list[Anchor]] = {}
    for name, anchor in found:
        anchors.setdefault(name, []).append(anchor)
    return {name: tuple(each) for name, each in anchors.items()}


def _headings(document: Document | StoredDocument) -> Iterator[str]:
    if isinstance(document, Document):
        yield from (section.heading_path[-1] for section in document.sections if section.heading_path)
    else:
        yield from (heading.rpartition(" > ")[2] for heading in document.headings)


def _texts(value: Any) -> Iterator[str]:
    yield from (each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


CONFIGURATION = "conf.py"
MAX_CONFIGURATION = 400_000
MAX_PROJECTS = 200
_MAPPING = re.compile(r"^[ \t]*intersphinx_mapping(?:\s*:[^=\n]{1,100})?\s*=\s*(?:dict\()?", re.MULTILINE)
_NAME = re.compile(
    r"[\"']([\w.+-]{1,60})[\"']\s{0,20}:\s{0,20}[(\[]|^\s{0,40}([A-Za-z_]\w{0,60})\s{0,5}=\s{0,5}\(", re.MULTILINE
)
_ADDRESS = re.compile(r"[\"'](https?://[^\"'\s]{1,300})[\"']", re.IGNORECASE)
_SPHINX = re.compile(r"^[ \t]*(?:extensions|project|master_doc|root_doc|html_theme|source_suffix)\s*=", re.MULTILINE)
_MAX_MAPPING = 20_000


def projects_in(files: Iterable[tuple[str, Callable[[], bytes]]]) -> Iterator[SphinxProject]:
    """The projects among files given by name, with what reads each; nothing of a ``conf.py`` is executed."""
    found = 0
    for name, read in files:
        folder, _, base = name.rpartition("/")
        if base != CONFIGURATION or found == MAX_PROJECTS:
            continue
        try:
            text = read()[:MAX_CONFIGURATION].decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        if _SPHINX.search(text):
            found += 1
            mapping = "\n".join(_mappings(text))
            names = dict.fromkeys(name[1] or name[2] for name in _NAME.finditer(mapping))
            yield SphinxProject(folder, tuple(names), tuple(dict.fromkeys(_ADDRESS.findall(mapping))))


def _mappings(text: str) -> Iterator[str]:
    """What stands in the project's mapping of others, as it is written."""
    for mapping in list(_MAPPING.finditer(text))[:5]:
        inside = text[mapping.end() : mapping.end() + _MAX_MAPPING]
        end = re.search(r"^[ \t]*[})][ \t]*(?:#.*)?$|\}[ \t]*$", inside, re.MULTILINE)
        yield inside[: end.end() if end else 2_000]
