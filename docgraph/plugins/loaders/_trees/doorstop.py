"""Reads an item of a Doorstop tree: one YAML file per requirement, its name the item's id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, listed, node_document

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


def read(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
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
