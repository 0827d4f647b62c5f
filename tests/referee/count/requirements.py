"""Requirements: what StrictDoc's nodes and Doorstop's items state of each other, by their ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from tests.referee.count.folder import Folder, Pairs, pairs_of

_NODE = re.compile(r"^\[\[?/?([A-Z][A-Z0-9_]*)\]?\]\s*$")
_FIELD = re.compile(r"^([A-Z][A-Z0-9_]*): ?(.*)$")
_LINK = re.compile(r"\[LINK: *([^\[\]\s]+) *\]")
_ANCHOR = re.compile(r"\[ANCHOR: *([^\[\],\s]+)")
_ITEM = re.compile(r"^(.*?)0*(\d+)$")


def strictdoc(folder: Folder) -> Pairs:
    """Relations to parents and children, and ``[LINK: UID]`` (StrictDoc, User guide).

    Ends are nodes by their UID, else their MID; a section is a part of its document and stands for it.
    """
    stated: list[tuple[str, str]] = []
    there: dict[str, str] = {}
    for name in folder.named(".sdoc"):
        document = ""
        for tag, body in _nodes(folder.text(name)):
            given = {f[1]: f[2].strip() for line in body.split("\n") if (f := _FIELD.match(line))}
            own = given.get("UID") or given.get("MID") or ""
            document = own if tag == "DOCUMENT" else document
            end = document if tag == "SECTION" else own
            if not end:
                continue
            there.update({each: end for each in (own, given.get("UID", ""), *_ANCHOR.findall(body)) if each})
            kind = ""
            for line in body.split("\n"):
                word = line.strip().removeprefix("- ")
                if word.startswith("TYPE: "):
                    kind = word[6:].strip()
                elif word.startswith("VALUE: ") and kind in ("Parent", "Child"):
                    stated.append((end, word[7:].strip()))
            stated += [(end, target) for target in _LINK.findall(body)]
    return pairs_of((source, there.get(target)) for source, target in stated)


def _nodes(text: str) -> Iterator[tuple[str, str]]:
    """(tag, whole text) of every node; a text between ``>>>`` and ``<<<`` holds no node."""
    tag, lines, inside = "", [""], False
    for line in (*text.split("\n"), "[END]"):
        inside = (inside or line.rstrip().endswith(">>>")) and line.strip() != "<<<"
        if not inside and (found := _NODE.match(line)):
            yield tag, "\n".join(lines)
            tag, lines = found[1], []
        lines.append(line)


def doorstop(folder: Folder) -> Pairs:
    """Items are YAML files called by their id; ids are one whatever their case and zeros (doorstop.readthedocs.io)."""
    items: dict[str, str] = {}
    stated: list[tuple[str, str]] = []
    for name in folder.named(".yml", ".yaml"):
        try:
            value = yaml.safe_load(folder.text(name))
        except yaml.YAMLError:
            continue
        stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        if isinstance(value, dict) and {"active", "level", "links", "text"} <= value.keys() and _ITEM.match(stem):
            if _id(stem) in items:
                continue
            items[_id(stem)] = stem
            for link in value["links"] or ():
                stated.append((stem, next(iter(link)) if isinstance(link, dict) else str(link)))
    return pairs_of((source, items.get(_id(target))) for source, target in stated)


def _id(uid: str) -> str:
    found = _ITEM.match(uid.strip())
    return f"{found[1].lower()}{found[2]}" if found else uid.lower()
