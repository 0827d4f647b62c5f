"""Reads JSON files that hold documents: node-link graphs, needs.json of sphinx-needs, OpenAPI descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, edge_type, listed, mapped, node_document, read_json
from docgraph.plugins.loaders._trees import openapi

NODE_LINK = "node_link"
_ENDS = frozenset(("source", "target", "key", "id"))


def is_graph(value: Any) -> bool:
    """Whether a JSON value is such a graph."""
    return isinstance(value, Mapping) and isinstance(value.get("nodes"), list) and _edges(value) is not None


def read_graph(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """Nodes, then edges; of an undirected graph each edge in both directions. Edges may name nodes by their place."""
    nodes = value["nodes"]
    ids: list[Any] = []
    for number, node in enumerate(nodes):
        place = f"node {number + 1}"
        attributes = mapped(node)
        node_id = next((attributes[name] for name in ("id", "key", "name") if attributes.get(name) is not None), None)
        ids.append(node_id)
        try:
            if node_id is None or isinstance(node_id, (dict, list)):
                raise ValueError("the node has no id")
            yield node_document(node_id, {**attributes, **mapped(attributes.get("attributes"))}, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)
    known = {str(node_id) for node_id in ids}
    directed = value.get("directed", mapped(value.get("options")).get("type") == "directed" or "options" not in value)
    for number, link in enumerate(_edges(value) or ()):
        place = f"edge {number + 1}"
        attributes = mapped(link)
        more = {name: told for name, told in attributes.items() if name not in _ENDS}
        try:
            start, end = (_end(attributes.get(name), ids, known) for name in ("source", "target"))
            kind = edge_type(attributes) or (key if isinstance(key := attributes.get("key"), str) else "")
            yield edge(start, kind, end, reader=NODE_LINK, source=source, order=number, attributes=more)
            if directed is False and start != end:
                told: dict[str, Any] = {"attributes": more, "undirected": True}
                yield edge(end, kind, start, reader=NODE_LINK, source=source, order=number, **told)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)


def _edges(value: Mapping[str, Any]) -> list[Any] | None:
    return next((value[name] for name in ("links", "edges") if isinstance(value.get(name), list)), None)


def _end(name: Any, ids: list[Any], known: set[str]) -> Any:
    """The id that an edge's end names: as it stands, or by the node's place, as d3 does where nodes have no such id."""
    if isinstance(name, Mapping):  # d3 puts the node itself there while it draws
        name = name.get("id")
    if name is None or isinstance(name, (list, dict)):
        raise ValueError("the edge has no source or no target")
    if isinstance(name, int) and str(name) not in known and 0 <= name < len(ids) and ids[name] is not None:
        return ids[name]
    return name


NEEDS = "sphinx_needs"
PART_OF = "part_of"
_LISTS_OF_OTHERS = frozenset(("tags", "sections", "constraints", "layers", "signature"))
_LEFT = frozenset(("content", "description", "lineno_content", "parts", "constraints_results", "needs_schema"))


def is_needs(value: Any) -> bool:
    """Whether a JSON value is such a file."""
    return any("needs" in mapped(version) for version in mapped(mapped(value).get("versions")).values())


def read_needs(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """Needs, then their links under the option's name (``links`` → ``links_to``); back links repeat them and are left.

    A need inside another one (``parent_need``) is ``part_of`` it; a link to a part of a need (``ID.1``) is one to it.
    """
    versions = mapped(value["versions"])
    current = str(value.get("current_version", ""))
    version = mapped(versions.get(current) or next(reversed(versions.values())))
    needs = {str(name): mapped(need) for name, need in mapped(version.get("needs")).items()}
    if not needs:
        raise ValueError(f"version {current[:40]!r} has no needs")
    for need_id, need in needs.items():
        text = next((need[name] for name in ("content", "description") if isinstance(need.get(name), str)), "")
        fields = {name: told for name, told in need.items() if name not in _LEFT and told not in (None, "", [], {})}
        title = str(need.get("title") or need_id)
        try:
            yield node_document(
                need_id, fields, source, title=title, text=text if text.strip() else title, doc_type=_kind(need)
            )
        except ValueError as error:
            yield Rejected(reason=f"need {need_id[:80]}: {error}", place=f"need {need_id[:80]}")
    kinds = _link_fields(version, needs)
    order = 0
    for need_id, need in needs.items():
        for field in kinds:
            for target in _targets(need.get(field), needs):
                kind = {"links": "links_to", "parent_need": PART_OF, "parent_needs": PART_OF}.get(field, field)
                yield edge(need_id, kind, target, reader=NEEDS, source=source, order=order, text=f"{field}: {target}")
                order += 1


def _kind(need: Mapping[str, Any]) -> str:
    return str(need.get("type_name") or need.get("type") or "need")


def _link_fields(version: Mapping[str, Any], needs: Mapping[str, Any]) -> list[str]:
    """Fields that hold links: those that the schema says, without one those whose lists name needs and nothing else."""
    schema = mapped(mapped(version.get("needs_schema")).get("properties"))
    if schema:
        said = [name for name, told in schema.items() if mapped(told).get("field_type") == "links"]
        return list(dict.fromkeys((*said, *(name for name in ("parent_need",) if name in schema))))
    found: dict[str, bool] = {"links": True, "parent_need": True}
    for need in needs.values():
        for name, told in need.items():
            if isinstance(told, list) and told and name not in _LISTS_OF_OTHERS and not name.endswith("_back"):
                found[name] = found.get(name, True) and (
                    name == "links" or all(_bare(target, needs) in needs for target in told)
                )
    return [name for name, is_link in found.items() if is_link]


def _targets(value: Any, needs: Mapping[str, Any]) -> list[str]:
    given = [value] if isinstance(value, str) else listed(value)
    return [name for each in given if isinstance(each, str) and (name := _bare(each, needs))]


def _bare(name: Any, needs: Mapping[str, Any]) -> str:
    whole = str(name).strip()
    need = whole.rpartition(".")[0]
    return need if whole not in needs and need in needs else whole


class JSONLoader:
    """What the file is shows in its keys: ``nodes`` and ``links`` (or ``edges``), ``versions`` with ``needs``,
    ``openapi`` or ``swagger``.
    """

    name = "json"
    suffixes: tuple[str, ...] = (".json",)
    holds_many = True
    confined = Confined(from_bytes=1_000_000)

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Documents, then relationships. Raises ValueError with a one-line reason."""
        value = read_json(data)
        if is_graph(value):
            yield from read_graph(value, source)
        elif is_needs(value):
            yield from read_needs(value, source)
        elif openapi.is_description(value):
            yield from openapi.read(value, source)
        else:
            raise ValueError(
                "the JSON is neither a node-link graph (nodes, links), nor needs.json, nor an OpenAPI description; "
                "records are read one per line, as .jsonl"
            )


build = JSONLoader
