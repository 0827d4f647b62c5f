"""Reads ReqIF, the exchange format of requirements: specifications, their objects, what relates and contains them."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from docgraph.boundary.confined import Confined
from docgraph.boundary.files.regular import check_method
from docgraph.boundary.limits import MAX_EXPANDED, MAX_GRAPH_BYTES
from docgraph.boundary.text import check_size, one_line
from docgraph.domain.graph import Document, Relationship, Section
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import path_id
from docgraph.plugins.loaders._graphs.nodes import RELATED, as_type, edge, node_document
from docgraph.plugins.loaders._trees.reqif_file import Exchange, Item, add_file

READER, PART_OF = "reqif", "part_of"
UNTITLED = "untitled"
"""Field of metadata that says that the title is only the beginning of the text."""
MAX_MEMBERS = 1_000
_IDS = ("foreignid", "uid", "id", "requirementid", "reqid", "objectidentifier", "identifier", "key")
_TITLES = ("name", "title", "chaptername", "heading", "objectheading", "summary", "objectshorttext")
_TEXTS = ("text", "statement", "description", "requirement", "requirementtext", "objecttext", "content")
_NO_WORDS = re.compile(r"[^a-z0-9]")
_LIKE_AN_ID = re.compile(r"(?=[^\s]*\d)[^\s]{2,100}")
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


class ReqIFLoader:
    """``.reqif``, and ``.reqifz``, an archive of them whose files refer to each other.

    An object's id is its foreign id (``ReqIF.ForeignID``, ``UID`` …), a bare number below the file's path, else a
    ``LONG-NAME`` that reads as an id, else its identifier; one that several objects have is none. A relation has its
    type's name; an object is ``part_of`` what stands above it in a hierarchy, at the top the specification.
    """

    name = "reqif"
    suffixes: tuple[str, ...] = (".reqif", ".reqifz")
    holds_many = True
    confined = Confined(imports=("defusedxml.ElementTree", "bs4", "lxml.html"))

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Specifications, objects, then relationships. Raises ValueError with a one-line reason."""
        exchange = Exchange()
        if data[:4] == b"PK\x03\x04":
            for name, member in _members(data):
                try:
                    add_file(member, exchange)
                except ValueError as error:
                    raise ValueError(f"{one_line(name, 100)}: {error}") from None
        else:
            add_file(data, exchange)
        if not exchange.objects:
            raise ValueError("the file has no requirements: no SPEC-OBJECT in it")
        yield from _documents(exchange, ids := _ids(exchange, path_id(source)), source)
        yield from _relationships(exchange, ids, source)


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of each file of an archive, by name. Raises ValueError for too much and for a damaged one."""
    check_size(data, MAX_GRAPH_BYTES)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [each for each in archive.infolist() if PurePosixPath(each.filename).suffix.lower() == ".reqif"]
            if len(entries) > MAX_MEMBERS or sum(each.file_size for each in entries) > MAX_EXPANDED:
                raise ValueError(
                    f"the archive holds more than {MAX_MEMBERS:,} files or {MAX_EXPANDED:,} bytes of ReqIF: split it"
                )
            if not entries:
                raise ValueError("the archive holds no .reqif")
            for entry in sorted(entries, key=lambda each: each.filename):
                check_method(entry)
                with archive.open(entry) as opened:
                    member = opened.read(MAX_GRAPH_BYTES + 1)
                yield entry.filename, member
    except _DAMAGED as error:
        raise ValueError(f"the archive cannot be read: {one_line(str(error), 150)}") from None


def _ids(exchange: Exchange, base: str) -> dict[str, str]:
    """identifier → the document's id."""
    found: dict[str, str] = {}
    wanted = {item.identifier: _called(item, base) for item in exchange.objects.values()}
    for identifier, spec in exchange.specifications.items():
        wanted[identifier] = base if len(exchange.specifications) == 1 else f"{base}/{spec.long_name or identifier}"
    often = Counter(wanted.values())
    for identifier, name in wanted.items():
        taken = not name or often[name] > 1 or (name in wanted and name != identifier)
        found[identifier] = identifier if taken else name
    return found


def _called(item: Item, base: str) -> str:
    foreign = _first(item, _IDS)[1]
    if foreign:
        return f"{base}/{foreign}" if foreign.isdigit() else one_line(foreign)
    return item.long_name if _LIKE_AN_ID.fullmatch(item.long_name) else ""


def _first(item: Item, names: tuple[str, ...]) -> tuple[str, str]:
    """(name, text) of the first attribute that is called so, whatever its case, marks and ``ReqIF.`` in front."""
    by_name = {_bare(name): name for name in reversed(list(item.attributes))}
    for name in names:
        told = item.attributes.get(by_name.get(name, ""))
        if isinstance(told, str) and told.strip():
            return by_name[name], told.strip()
    return "", ""


def _bare(name: str) -> str:
    return _NO_WORDS.sub("", name.casefold()).removeprefix("reqif")


def _documents(exchange: Exchange, ids: Mapping[str, str], source: str) -> Iterator[Document | Rejected]:
    parts: dict[str, list[str]] = {}
    for part, above in exchange.inside:
        if above in exchange.specifications and part in exchange.objects:
            parts.setdefault(above, []).append(_title(exchange.objects[part]) or ids[part])
    for kind, items in (("specification", exchange.specifications), ("object", exchange.objects)):
        for identifier, item in items.items():
            place = f"{kind} {one_line(identifier, 80)}"
            contents = "\n".join(parts.get(identifier, ()))
            try:
                yield _document(item, ids[identifier], source, contents=contents, kind=item.type_name or kind)
            except ValueError as error:
                yield Rejected(reason=f"{place}: {error}", place=place)


def _title(item: Item) -> str:
    return one_line(_first(item, _TITLES)[1] or item.long_name)


def _document(item: Item, document_id: str, source: str, *, contents: str, kind: str) -> Document:
    text_name, text = _first(item, _TEXTS)
    title_name, _ = _first(item, _TITLES)
    text = text or item.described.strip()
    is_named = document_id != item.identifier
    title = _title(item) or (document_id if is_named or not text else one_line(text)[:80])
    sections = [Section(text=text or contents or title)]
    fields: dict[str, object] = {"identifier": item.identifier}
    for name, told in item.attributes.items():
        if name in item.long and name not in (text_name, title_name):
            sections.append(Section(heading_path=(one_line(name, 100).removeprefix("ReqIF."),), text=str(told)))
        elif name not in (text_name, title_name):
            fields.setdefault(as_type(name.removeprefix("ReqIF.")), told)
    if not _title(item):
        fields[UNTITLED] = True
    whole = "\n\n".join(f"{each.heading_path[0]}: {each.text}" if each.heading_path else each.text for each in sections)
    return node_document(document_id, fields, source, title=title, text=whole, doc_type=kind, sections=sections)


def _relationships(exchange: Exchange, ids: Mapping[str, str], source: str) -> Iterator[Relationship | Rejected]:
    """Relations in their order, then the hierarchy; what an end names outside of the file keeps its identifier."""
    told = [(*relation.ends, relation) for relation in exchange.relations]
    contained = [(part, above, None) for part, above in exchange.inside if part in exchange.objects]
    for order, (start, end, relation) in enumerate((*told, *contained)):
        kind = PART_OF if relation is None else as_type(relation.type_name or relation.long_name) or RELATED
        said = None if relation is None else relation.attributes
        try:
            ends = ids.get(start, start), ids.get(end, end)
            yield edge(ends[0], kind, ends[1], reader=READER, source=source, order=order, attributes=said)
        except ValueError as error:
            yield Rejected(reason=f"relation {order + 1}: {error}", place=f"relation {order + 1}")


build = ReqIFLoader
