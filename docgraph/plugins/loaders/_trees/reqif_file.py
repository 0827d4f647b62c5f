"""Reads the XML of ReqIF: its objects with their attributes, its relations, and the hierarchies of the objects."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.boundary.text import check_length, one_line
from docgraph.plugins.loaders._graphs.xml_graph import parsed_xml

MAX_DEPTH = 100
"""Levels of mark-up that are read as such; of what is nested deeper only the words are."""


def words_of(element: Any) -> str:
    """The words in an element, by lines."""
    words = "".join(element.itertext())
    check_length(words)
    if not words.strip():
        return ""
    written = _as_html(element)
    if written is None:
        return "\n".join(filter(None, (line.strip() for line in words.split("\n"))))
    from bs4 import BeautifulSoup

    from docgraph.plugins.loaders._html_text import read_tree

    page = read_tree(BeautifulSoup(f"<html><body>{written}</body></html>", "lxml"))
    return "\n".join(page.lines).strip("\n")


def _as_html(root: Any) -> str | None:
    """The mark-up inside of an element with plain tags and without attributes; None for what is nested too deep."""
    out: list[str] = [html.escape(root.text or "")]
    stack: list[tuple[Any, bool]] = [(child, True) for child in reversed(list(root))]
    depth = 0
    while stack:
        element, entering = stack.pop()
        name = str(element.tag).rpartition("}")[2].casefold() if isinstance(element.tag, str) else ""
        tag = name if name.isalnum() and name.isascii() and name != "object" else "span"
        if not entering:
            depth -= 1
            out.append(f"</{tag}>{html.escape(element.tail or '')}")
            continue
        depth += 1
        if depth > MAX_DEPTH:
            return None
        if tag == "br":
            depth -= 1
            out.append(f"<br>{html.escape(element.tail or '')}")
            continue
        out.append(f"<{tag}>{html.escape(element.text or '')}")
        stack.append((element, False))
        stack += [(child, True) for child in reversed(list(element))]
    return "".join(out)


MAX_OBJECTS = 100_000
MAX_PLACES = 500_000
"""Places of objects in hierarchies that are read; an object may stand in many."""
_XHTML = "ATTRIBUTE-VALUE-XHTML"
_ENUMERATION = "ATTRIBUTE-VALUE-ENUMERATION"
_SPEC_TYPES = ("SPEC-OBJECT-TYPE", "SPECIFICATION-TYPE", "SPEC-RELATION-TYPE")


@dataclass
class Item:
    """An object, specification or relation. ``attributes`` = what it says by the names of its type's attributes;
    ``long`` = those that are written with mark-up."""

    identifier: str
    long_name: str = ""
    type_name: str = ""
    described: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    long: set[str] = field(default_factory=set)
    ends: tuple[str, str] = ("", "")


@dataclass
class Exchange:
    """What files of one exchange hold; ``inside`` = (identifier of a part, of what contains it)."""

    objects: dict[str, Item] = field(default_factory=dict)
    specifications: dict[str, Item] = field(default_factory=dict)
    relations: list[Item] = field(default_factory=list)
    inside: dict[tuple[str, str], None] = field(default_factory=dict)


@dataclass(frozen=True)
class _Type:
    name: str
    attributes: Mapping[str, str]
    defaults: tuple[Any, ...]


def add_file(data: bytes, exchange: Exchange) -> None:
    """What one file holds, beside what is there already. Raises ValueError with a one-line reason."""
    root = parsed_xml(data)
    if _name(root) != "REQ-IF":
        raise ValueError(f"the file is XML but not ReqIF: its root is <{one_line(str(root.tag), 60)}>")
    types = {found.get("IDENTIFIER", ""): _type(found) for found in root.iter() if _name(found) in _SPEC_TYPES}
    choices = {
        each.get("IDENTIFIER", ""): each.get("LONG-NAME") or _embedded(each)
        for each in root.iter()
        if _name(each) == "ENUM-VALUE"
    }
    for element in root.iter():
        kind = _name(element)
        if kind not in ("SPEC-OBJECT", "SPECIFICATION", "SPEC-RELATION") or not element.get("IDENTIFIER"):
            continue
        item = _item(element, types, choices)
        if kind == "SPEC-OBJECT":
            exchange.objects.setdefault(item.identifier, item)
        elif kind == "SPEC-RELATION":
            item.ends = (_reference(element, "SOURCE"), _reference(element, "TARGET"))
            exchange.relations.append(item)
        else:
            exchange.specifications.setdefault(item.identifier, item)
            exchange.inside.update(dict.fromkeys(_places(element, item.identifier)))
        if len(exchange.objects) > MAX_OBJECTS or len(exchange.inside) > MAX_PLACES:
            raise ValueError(f"the file has more than {MAX_OBJECTS:,} objects or {MAX_PLACES:,} places: split it")


def _item(element: Any, types: Mapping[str, _Type], choices: Mapping[str, str]) -> Item:
    kind = types.get(_reference(element, "TYPE"), _Type("", {}, ()))
    item = Item(
        identifier=element.get("IDENTIFIER", "").strip(),
        long_name=one_line(element.get("LONG-NAME", "")),
        type_name=kind.name,
        described=element.get("DESC", ""),
    )
    own = [value for values in _children(element, "VALUES") for value in values]
    for value in (*own, *kind.defaults):
        name = kind.attributes.get(_reference(value, "DEFINITION"), "")
        if name and name not in item.attributes:
            told = _value(value, choices)
            if told not in ("", []):
                item.attributes[name] = told
                if _name(value) == _XHTML:
                    item.long.add(name)
    return item


def _type(element: Any) -> _Type:
    """A type with its attributes' names, and what they say where an object says nothing."""
    names: dict[str, str] = {}
    defaults: list[Any] = []
    for definitions in _children(element, "SPEC-ATTRIBUTES"):
        for definition in definitions:
            if identifier := definition.get("IDENTIFIER"):
                names[identifier] = one_line(definition.get("LONG-NAME") or identifier, 100)
            defaults += [value for default in _children(definition, "DEFAULT-VALUE") for value in default]
    return _Type(one_line(element.get("LONG-NAME", ""), 100), names, tuple(defaults))


def _value(element: Any, choices: Mapping[str, str]) -> Any:
    """A text, or several of them where an enumeration allows it."""
    if _name(element) == _XHTML:
        return "\n\n".join(filter(None, (words_of(each) for each in _children(element, "THE-VALUE"))))
    if _name(element) == _ENUMERATION:
        named = [(each.text or "").strip() for values in _children(element, "VALUES") for each in values]
        told = [choices.get(each) or each for each in named if each]
        return told[0] if len(told) == 1 else told
    return element.get("THE-VALUE", "").strip()


def _embedded(choice: Any) -> str:
    """The words of a choice without a name."""
    told = (each.get("OTHER-CONTENT") or each.get("KEY") for each in choice.iter() if _name(each) == "EMBEDDED-VALUE")
    return next((each for each in told if each), "")


def _places(specification: Any, identifier: str) -> Iterator[tuple[str, str]]:
    """(part, what contains it), without recursion; a place without an object hands its parts to what contains it."""
    open_places = [(child, identifier) for child in reversed(list(_places_in(specification)))]
    while open_places:
        place, above = open_places.pop()
        part = _reference(place, "OBJECT")
        if part and part != above:
            yield part, above
        open_places += [(child, part or above) for child in reversed(list(_places_in(place)))]


def _places_in(element: Any) -> Iterator[Any]:
    for children in _children(element, "CHILDREN"):
        yield from _children(children, "SPEC-HIERARCHY")


def _reference(element: Any, role: str) -> str:
    """The identifier that stands in ``<ROLE><…-REF>…</…-REF></ROLE>``, "" for none."""
    for found in _children(element, role):
        for reference in found:
            return (reference.text or "").strip()
    return ""


def _children(element: Any, name: str) -> Iterator[Any]:
    return (child for child in element if _name(child) == name)


def _name(element: Any) -> str:
    """A tag without its namespace; comments and instructions have none."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""
