"""Reads OpenAPI and Swagger: the interface, its operations and components as documents, each ``$ref`` related."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

import yaml

from docgraph.boundary.limits import MAX_FRONT_MATTER_DEPTH
from docgraph.domain.graph import Document, Relationship, Section
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._composing import path_id
from docgraph.plugins.loaders._graphs.nodes import edge, listed, mapped, node_document

READER = "openapi"
USES, PART_OF = "uses", "part_of"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_OLD = ("definitions", "parameters", "responses", "securityDefinitions")
MAX_REFERENCES = 2_000


def is_description(value: Any) -> bool:
    """Whether a JSON or YAML value is such a description, of whatever version."""
    return isinstance(value, Mapping) and any(
        isinstance(value.get(name), (str, int, float)) for name in ("openapi", "swagger")
    )


def read(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """The interface, its operations and components, then relationships in their order.

    Ids: ``path/of/file``, ``…/operations/listPets`` (or ``…/operations/get /pets``), ``…/schemas/Pet``. An operation is
    ``part_of`` the interface; what holds a ``$ref`` ``uses`` what it names, in another file too.
    """
    base = path_id(source)
    info = mapped(value.get("info"))
    title = str(info.get("title") or posixpath.basename(base))
    about = _described(info, {"servers": value.get("servers"), "tags": value.get("tags")})
    yield node_document(
        base, {"version": str(info.get("version", ""))}, source, title=title, text=about or title, doc_type="interface"
    )
    found: dict[tuple[str, str, str], None] = {}
    for name, kind, label, part in _parts(value):
        place = f"{kind} {name[:80]}"
        try:
            yield _document(f"{base}/{name}", kind, label, part, source)
        except ValueError as error:
            yield Rejected(reason=f"{place}: {error}", place=place)
            continue
        if kind == "operation":
            found[f"{base}/{name}", PART_OF, base] = None
        for reference in _references(part):
            if target := _target(reference, base, source):
                found[f"{base}/{name}", USES, target] = None
    for order, (start, relation_type, end) in enumerate(found):
        try:
            yield edge(start, relation_type, end, reader=READER, source=source, order=order)
        except ValueError as error:
            yield Rejected(reason=f"reference {order + 1}: {error}", place=f"reference {order + 1}")


def _parts(value: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    """(name below the interface, kind, title, what it says) of each operation and component."""
    for kind in ("paths", "webhooks"):
        for path, item in mapped(value.get(kind)).items():
            shared = listed(mapped(item).get("parameters"))
            for method in METHODS:
                if isinstance(operation := mapped(item).get(method), Mapping):
                    called = f"{method} {path}"
                    title = f"{method.upper()} {path}"
                    summary = str(operation.get("summary") or "")
                    whole = {**operation, "parameters": [*shared, *listed(operation.get("parameters"))]}
                    if not whole["parameters"]:
                        del whole["parameters"]
                    name = str(operation.get("operationId") or called)
                    yield f"operations/{name}", "operation", f"{title} – {summary}" if summary else title, whole
    components = mapped(value.get("components")) or {name: value.get(name) for name in _OLD}
    for group, entries in components.items():
        kind = {"definitions": "schema"}.get(group, group.removesuffix("s") if group != "responses" else "response")
        for name, part in mapped(entries).items():
            if isinstance(part, Mapping):
                yield (
                    f"{'schemas' if group == 'definitions' else group}/{name}",
                    kind,
                    str(part.get("title") or name),
                    part,
                )


def _document(document_id: str, kind: str, title: str, part: Mapping[str, Any], source: str) -> Document:
    fields: dict[str, Any] = {"deprecated": True} if part.get("deprecated") is True else {}
    if tags := [tag for tag in listed(part.get("tags")) if isinstance(tag, str)]:
        fields["tags"] = tags
    words = _described(part, {})
    details = {name: told for name, told in part.items() if name not in ("summary", "description", "tags")}
    written = yaml.safe_dump(details, sort_keys=False, allow_unicode=True, width=100).strip() if details else ""
    text = "\n\n".join(filter(None, (words, f"```yaml\n{written}\n```" if written else ""))) or title
    sections = (Section(text=text),)
    return node_document(document_id, fields, source, title=title, text=text, doc_type=kind, sections=sections)


def _described(part: Mapping[str, Any], more: Mapping[str, Any]) -> str:
    said = [str(part[name]).strip() for name in ("summary", "description") if isinstance(part.get(name), str)]
    names = [
        ": ".join(str(mapped(each)[name]) for name in ("name", "url", "description") if mapped(each).get(name))
        for value in more.values()
        for each in listed(value)
    ]
    return "\n\n".join(filter(None, (*said, "\n".join(filter(None, names)))))


def _references(part: Any, depth: int = 0) -> Iterator[str]:
    """Every ``$ref`` in a part and every target of a discriminator, in order."""
    if depth > MAX_FRONT_MATTER_DEPTH:
        return
    if isinstance(part, Mapping):
        for name, value in part.items():
            if name == "$ref" and isinstance(value, str):
                yield value
            elif name == "mapping" and isinstance(value, Mapping):
                yield from (str(each) for each in value.values() if str(each).startswith(("#", ".", "/")))
            else:
                yield from _references(value, depth + 1)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value, depth + 1)


def _target(reference: str, base: str, source: str) -> str:
    """The id of what a reference names: ``#/components/schemas/Pet`` → ``base/schemas/Pet``; "" for a web address."""
    file, _, pointer = reference.partition("#")
    if "://" in file or file.startswith("//"):
        return ""
    if file:
        folder = posixpath.dirname(source.replace("\\", "/"))
        base = path_id(posixpath.normpath("/" + posixpath.join(folder, unquote(file))).lstrip("/"))
    parts = [unquote(part).replace("~1", "/").replace("~0", "~") for part in pointer.strip("/").split("/") if part]
    if parts[:1] == ["components"]:
        parts = parts[1:]
    if parts[:1] == ["definitions"]:
        parts[0] = "schemas"
    return "/".join((base, *parts[:2]))
