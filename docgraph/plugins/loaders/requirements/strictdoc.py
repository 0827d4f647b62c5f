"""Reads StrictDoc's documents: the document and each of its nodes, with the relations that they state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docgraph.boundary.imports.markup.references import Markup, with_defined
from docgraph.boundary.limits import MAX_BYTES, MAX_LINE
from docgraph.boundary.text import decode, one_line
from docgraph.domain.graph import Document, Relationship, Section
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import path_id
from docgraph.plugins.loaders._graphs.nodes import as_type, edge, node_document

READER = "strictdoc"
TRACES_TO, TRACED_BY, PART_OF = "traces_to", "traced_by", "part_of"
_NODE = re.compile(r"\[(/?)\[?([A-Z][A-Z0-9_]*)\]{1,2}\s*")
_FIELD = re.compile(r"([A-Z][A-Z0-9_ ]*?):(?:[ \t]+(.*))?")
_RELATION = re.compile(r"[ \t]*(-[ \t]+)?(TYPE|VALUE|ROLE|HASH|FORMAT|LINE_RANGE|ELEMENT|ID|FUNCTION):[ \t]*(.*)")
_STRUCTURE = frozenset(
    ("GRAMMAR", "SECTION", "CHAPTER", "DOCUMENT_FROM_FILE", "FRAGMENT_FROM_FILE", "FREETEXT", "OPTIONS")
)
_TEXTS = ("STATEMENT", "CONTENT", "DESCRIPTION", "BODY")
MAX_NODES = 50_000
_SECTION = re.compile(
    r"^\[\[SECTION\]\][ \t]*\n(?:MID:[^\n]*\n)?UID:[ \t]*(\S[^\n]{0,200})\n"
    r"(?:[A-Z]+:[^\n]*\n){0,3}?TITLE:[ \t]*([^\n]*)",
    re.MULTILINE,
)
_ANCHOR = re.compile(r"\[ANCHOR:[ \t]*([^\],\n]{1,200})(?:,[ \t]*([^\]\n]{1,300}))?\]")
UNTITLED = "untitled"
"""Field of metadata that says that the title is only the beginning of the text."""


@dataclass
class _Node:
    kind: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    relations: list[dict[str, str]] = field(default_factory=list)


class StrictDocLoader:
    """``.sdoc``: a node with a ``UID`` or ``MID`` has it as its id, another one the file's path and its place in it.

    A ``Parent`` relation is ``traces_to``, a ``Child`` relation ``traced_by``, or the role that it names
    (``ROLE: Refines`` → ``refines``); every node is ``part_of`` its document. Relations to files stay in the metadata.
    """

    name = "strictdoc"
    suffixes: tuple[str, ...] = (".sdoc",)
    holds_many = True

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """The document, its nodes, then relationships. Raises ValueError with a one-line reason."""
        text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_LINE)
        nodes, sections = _nodes(text), [(found[1], found[2]) for found in _SECTION.finditer(text)]
        if not nodes or nodes[0].kind != "DOCUMENT":
            raise ValueError("the file is not a StrictDoc document: it does not begin with [DOCUMENT]")
        whole, path = nodes[0], path_id(source)
        ids = [_id(node, path if node is whole else f"{path}/{place}") for place, node in enumerate(nodes)]
        contents = "\n".join(_title(node) for node in nodes[1:] if _title(node))
        edges: list[tuple[str, str, str, str]] = []
        for node, node_id in zip(nodes, ids, strict=True):
            place = f"line {node.line}"
            try:
                made = _document(node, node_id, source, contents if node is whole else "")
                yield _with_labels(made, node, sections if node is whole else ())
            except ValueError as error:
                yield Rejected(reason=f"{place}: {error}", place=place)
                continue
            edges += [(node_id, kind, target, said) for kind, target, said in _relations(node)]
            if node is not whole:
                edges.append((node_id, PART_OF, ids[0], ""))
        for order, (start, kind, end, said) in enumerate(edges):
            try:
                yield edge(start, kind, end, reader=READER, source=source, order=order, text=said)
            except ValueError as error:
                yield Rejected(reason=f"relation {order + 1}: {error}", place=f"relation {order + 1}")


def _nodes(text: str) -> list[_Node]:
    """Nodes in the order of the text; sections, grammars and options are structure, not nodes."""
    nodes: list[_Node] = []
    current: _Node | None = None
    name, many, in_relations = "", False, False
    for number, line in enumerate(text.split("\n"), start=1):
        if many:
            if line.rstrip() == "<<<":  # an indented one is part of the text: an example
                many = False
            elif current is not None:
                current.fields[name] = f"{current.fields[name]}{line}\n"
            continue
        if start := _NODE.fullmatch(line):
            is_node = not start[1] and start[2] not in _STRUCTURE
            current = _Node(start[2], number) if is_node else None
            in_relations = False
            if current is not None:
                nodes.append(current)
                if len(nodes) > MAX_NODES:
                    raise ValueError(f"the document has more than {MAX_NODES:,} nodes: split it")
        elif line.rstrip() == "<<<":
            raise ValueError(f"line {number} closes a text that is not open")
        elif in_relations and current is not None and (relation := _RELATION.fullmatch(line)):
            if relation[1] or not current.relations:
                current.relations.append({})
            current.relations[-1][relation[2]] = relation[3].strip()
        elif found := _FIELD.fullmatch(line):
            name, value = found[1], found[2] or ""
            in_relations = name in ("RELATIONS", "REFS")
            many = value.strip() == ">>>"
            if current is not None and not in_relations:
                current.fields[name] = "" if many else value.strip()
    if many:
        raise ValueError("the text that the last >>> opens is not closed: the file is cut off")
    return nodes


def _id(node: _Node, otherwise: str) -> str:
    return node.fields.get("UID") or node.fields.get("MID") or otherwise


def _title(node: _Node) -> str:
    return one_line(node.fields.get("TITLE", ""))


def _document(node: _Node, node_id: str, source: str, contents: str) -> Document:
    texts = [node.fields[name].strip() for name in _TEXTS if node.fields.get(name, "").strip()]
    title = _title(node) or (node_id if node.fields.get("UID") else one_line(" ".join(texts))[:80]) or node_id
    sections = [Section(text="\n\n".join(texts) or contents or title)]
    further = [name for name, told in node.fields.items() if name not in _TEXTS and name != "TITLE" and "\n" in told]
    more = [name for name in dict.fromkeys(("RATIONALE", "COMMENT", *further)) if node.fields.get(name, "").strip()]
    sections += [
        Section(heading_path=(name.replace("_", " ").capitalize(),), text=node.fields[name].strip()) for name in more
    ]
    text = "\n\n".join(f"{each.heading_path[0]}: {each.text}" if each.heading_path else each.text for each in sections)
    left = {*_TEXTS, "TITLE", *more}
    fields: dict[str, object] = {name.lower(): told for name, told in node.fields.items() if name not in left and told}
    if not _title(node):
        fields[UNTITLED] = True
    if files := [told.get("VALUE", "") for told in node.relations if told.get("TYPE") == "File"]:
        fields["files"] = files
    return node_document(node_id, fields, source, title=title, text=text, doc_type=node.kind.lower(), sections=sections)


def _with_labels(document: Document, node: _Node, sections: Sequence[tuple[str, str]]) -> Document:
    """The document with what texts may refer to in it: its sections, and the anchors in its texts."""
    markup = Markup()
    for uid, title in sections:
        markup.label(uid, title)
    for told in node.fields.values():
        for anchor in _ANCHOR.finditer(told):
            markup.label(anchor[1], anchor[2] or "")
    return document.model_copy(update={"metadata": with_defined(document.metadata, markup)})


def _relations(node: _Node) -> Iterator[tuple[str, str, str]]:
    for told in node.relations:
        kind, target, role = told.get("TYPE", ""), told.get("VALUE", ""), told.get("ROLE", "")
        if kind in ("Parent", "Child") and target:
            default = TRACES_TO if kind == "Parent" else TRACED_BY
            yield as_type(role) or default, target, f"{kind}: {target}"


build = StrictDocLoader
