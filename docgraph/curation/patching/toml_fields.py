"""Names of documents in TOML, edited by a parser that keeps spaces, comments and quotes as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from docgraph.boundary.shape import check_toml
from docgraph.curation.patching.names import LIST_FIELD, parts_of, without_part
from docgraph.domain.imports.fields import TARGET_KEYS, field_key


def drop(block: str, field: str, raw: str) -> Iterator[str]:
    """The block without one of the names in ``field``: first those that read ``raw``, then each other one."""
    for key, place, part in _parts(block, field, raw):

        def change(document: Any, key: str = key, place: int | None = place, part: Any = part) -> None:
            value = document[key] if place is None else document[key][place]
            rest = without_part(str(value), part) if part is not None else None
            if rest is not None:
                _set(document, key, place, rest)
            elif place is None or len(document[key]) == 1:
                del document[key]
            else:
                del document[key][place]

        yield from _changed(block, change)


def put(block: str, field: str, raw: str, new: str) -> Iterator[str]:
    """The block with ``new`` in the place of one of the names in ``field``, in the same order."""
    for key, place, part in _parts(block, field, raw):

        def change(document: Any, key: str = key, place: int | None = place, part: Any = part) -> None:
            value = document[key] if place is None else document[key][place]
            if isinstance(value, dict):
                value[next(name for name in TARGET_KEYS if name in value)] = new
            elif part is not None:
                text = str(value)
                _set(document, key, place, text[: part[0]] + new + text[part[1] :])
            else:
                _set(document, key, place, _value(new, like=value))

        yield from _changed(block, change)


def more(block: str, field: str, new: str, relation_type: str) -> Iterator[str]:
    """The block with ``new`` as one more name in ``field``, which is made when it is not there."""
    root = _parsed(block)
    if root is None:
        return
    key = next((name for name in root if field_key(name) == field_key(field)), None)

    def change(document: Any) -> None:
        if key is None:
            document[field] = int(new) if new.isdigit() else [new]
        elif isinstance(document[key], list):
            listed = field_key(field) == LIST_FIELD
            last = document[key][-1] if document[key] else None
            document[key].append({"type": relation_type, "to": new} if listed else _value(new, like=last))
        elif str(document[key]).strip():
            document[key] = [document[key], _value(new, like=document[key])]
        else:
            document[key] = new

    if key is not None or field_key(field) != LIST_FIELD:
        yield from _changed(block, change)


def _parsed(block: str) -> Any:
    """The document; None for what is no TOML, or what the parser would not write as it stands."""
    try:
        check_toml(block, first_line=1)
        document = tomlkit.parse(block)
        return document if tomlkit.dumps(document) == block else None
    except (TOMLKitError, ValueError, RecursionError):
        return None


def _changed(block: str, change: Callable[[Any], None]) -> Iterator[str]:
    document = _parsed(block)
    if document is None:
        return
    try:
        change(document)
        yield tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, KeyError, StopIteration, RuntimeError):
        return


def _parts(block: str, field: str, raw: str) -> list[tuple[str, int | None, tuple[int, int] | None]]:
    root = _parsed(block)
    found: list[tuple[bool, str, int | None, tuple[int, int] | None]] = []
    for key, value in root.items() if root is not None else ():
        if field_key(key) != field_key(field):
            continue
        entries: list[tuple[int | None, Any]] = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for place, entry in entries:
            said = next((entry[k] for k in TARGET_KEYS if k in entry), "") if isinstance(entry, dict) else entry
            found.append((str(said) == raw, key, place, None))
            if isinstance(entry, str) and "," in entry:
                found += [(entry[s:e] == raw, key, place, (s, e)) for s, e in parts_of(entry)]
    return [(key, place, part) for _, key, place, part in sorted(found, key=lambda each: not each[0])]


def _set(document: Any, key: str, place: int | None, value: Any) -> None:
    if place is None:
        document[key] = value
    else:
        document[key][place] = value


def _value(new: str, *, like: Any) -> Any:
    return int(new) if new.isdigit() and isinstance(like, int) else new
