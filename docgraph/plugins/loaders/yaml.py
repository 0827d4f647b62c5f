"""Reads YAML files that hold documents: items of Doorstop, descriptions of HTTP interfaces (OpenAPI)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

from docgraph.boundary.imports.plain_values import BoundedLoader, plain_json
from docgraph.boundary.limits import MAX_LINE, MAX_YAML_FILE, MAX_YAML_VALUES
from docgraph.boundary.text import decode, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, listed, node_document
from docgraph.plugins.loaders._trees import openapi

READER = "doorstop"
TRACES_TO = "traces_to"
MIN_FIELDS = 3
"""Of the fields that every item has, how many make a file one."""
_FIELDS = frozenset(("active", "derived", "level", "links", "normative", "reviewed"))
_OWN = frozenset(("text", "header", "links", "references", "ref"))
INACTIVE = "inactive"
"""The status of an item that does not count any more: its file says ``active: false``."""


def is_item(value: Any) -> bool:
    """Whether a YAML value is an item: a text, and at least three of Doorstop's own fields."""
    return isinstance(value, Mapping) and "text" in value and len(_FIELDS & value.keys()) >= MIN_FIELDS


def read_item(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """The item, then its links: it ``traces_to`` each of its parents; a link's fingerprint is not kept.

    References to files (source code, tests, pictures) are metadata: ``files``. An item that is not active says so.
    """
    uid = PurePosixPath(source).stem
    header, text = str(value.get("header") or "").strip(), str(value.get("text") or "").strip("\n")
    said = f"{header}\n\n{text}".strip() if header else text
    title = f"{uid} {header}" if header else uid
    fields = {name: told for name, told in value.items() if name not in _OWN}
    if files := _files(value):
        fields["files"] = files
    if _is_no(value.get("active")) and "status" not in fields:
        fields["status"] = INACTIVE
    yield node_document(uid, fields, source, title=title, text=said or title, doc_type="requirement")
    for order, target in enumerate(_links(value.get("links"))):
        yield edge(uid, TRACES_TO, target, reader=READER, source=source, order=order, text=f"links: {target}")


def _files(value: Mapping[str, Any]) -> list[str]:
    """The paths that an item refers to, in order; the old field ``ref`` holds a word that is looked for in files."""
    told = [each.get("path") for each in listed(value.get("references")) if isinstance(each, Mapping)]
    told.append(value.get("ref"))
    return list(dict.fromkeys(str(each) for each in told if isinstance(each, str) and each.strip()))


def _links(value: Any) -> list[str]:
    """``[REQ001, {REQ002: fingerprint}]`` → ids in order."""
    found = [list(each) if isinstance(each, Mapping) else [each] for each in listed(value)]
    return list(dict.fromkeys(re.sub(r"\s", "", str(name)) for names in found for name in names if name is not None))


def _is_no(value: Any) -> bool:
    """Whether a flag says no: Doorstop reads YAML 1.1, in which ``no`` and ``off`` do."""
    return value is False or (isinstance(value, str) and value.strip().casefold() in ("no", "off", "n", "false"))


_OPENAPI = re.compile(r"^[\"']?(?:openapi|swagger)[\"']?[ \t]*:", re.MULTILINE)
_DOORSTOP = re.compile(r"^(?:active|derived|level|links|normative|reviewed):", re.MULTILINE)
_NEITHER = "no loader reads YAML that is neither a Doorstop item nor an OpenAPI description"


class YAMLLoader:
    """What the file is shows in its keys: ``openapi`` or ``swagger``, or the fields of a Doorstop item."""

    name = "yaml"
    suffixes: tuple[str, ...] = (".yaml", ".yml")
    holds_many = True

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected]:
        """Documents, then relationships. Raises ValueError with a one-line reason."""
        text = decode(data, max_bytes=50 * MAX_YAML_FILE, max_line=50 * MAX_LINE)
        is_openapi = bool(_OPENAPI.search(text))
        if not is_openapi and len(set(_DOORSTOP.findall(text))) < MIN_FIELDS:
            raise ValueError(_NEITHER)
        if len(data) > MAX_YAML_FILE:
            said = f"{len(data):,} bytes; at most {MAX_YAML_FILE:,} of YAML are read"
            raise ValueError(f"the file has {said}{': convert it to JSON' if is_openapi else ''}")
        value = _parsed(text)
        if is_openapi and openapi.is_description(value):
            yield from openapi.read(value, source)
        elif is_item(value):
            yield from read_item(value, source)
        else:
            raise ValueError(_NEITHER)


class _FileLoader(BoundedLoader):
    """The bounded reader of front matter, for a whole file."""

    max_values = MAX_YAML_VALUES


def _parsed(text: str) -> Any:
    try:
        return plain_values(yaml.load(text, Loader=_FileLoader))
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ValueError(f"the file is not YAML: {one_line(str(error.problem or error.context), 150)}{line}") from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"the file is not YAML that can be read: {one_line(str(error), 200)}") from None


def plain_values(value: Any) -> Any:
    """Mappings with texts as keys, without end: dates and numbers as keys become texts. Bounded by the parser."""
    if isinstance(value, dict):
        return {str(key): plain_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_values(item) for item in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else plain_json(value)


build = YAMLLoader
