"""Names of documents in YAML, edited where they stand: the parser tells the places, nothing else is written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from docgraph.curation.patching.blocks import newline_of
from docgraph.curation.patching.names import LIST_FIELD, is_nothing, parts_of, without_part
from docgraph.domain.imports.fields import TARGET_KEYS, field_key

_DASH = re.compile(r"[ \t]*-[ \t]+")


@dataclass(frozen=True)
class _Item:
    """A name: ``leaf`` = the node that is the name, ``whole`` = what goes when the name goes, in ``inside``."""

    leaf: Any
    whole: Any
    inside: Any
    pair: tuple[Any, Any]


def drop(block: str, field: str, raw: str) -> Iterator[str]:
    """The block without one of the names in ``field``: first those that read ``raw``, then each other one."""
    for item, part in _parts(block, field, raw):
        if isinstance(item.whole, yaml.ScalarNode) and item.inside is None and part is not None:
            text = _source(block, item.leaf)
            rest = without_part(text, part)
            yield _without_pair(block, item.pair) if rest is None else _spliced(block, item.leaf, rest)
        elif item.inside is None or len(item.inside.value) == 1:
            yield _without_pair(block, item.pair)
        else:
            yield from _without_element(block, item)


def put(block: str, field: str, raw: str, new: str) -> Iterator[str]:
    """The block with ``new`` in the place of one of the names in ``field``, in the same order."""
    for item, part in _parts(block, field, raw):
        if part is None:
            flow = item.inside is not None and bool(item.inside.flow_style)
            yield _spliced(block, item.leaf, _written(new, like=item.leaf, flow=flow))
        else:
            text = _source(block, item.leaf)
            yield _spliced(block, item.leaf, text[: part[0]] + new + text[part[1] :])


def more(block: str, field: str, new: str, relation_type: str) -> Iterator[str]:
    """The block with ``new`` as one more name in ``field``, which is made when it is not there."""
    root = _root(block)
    if root is None or root.flow_style or not root.value:
        return
    pairs = [pair for pair in root.value if field_key(pair[0].value) == field_key(field)]
    if field_key(field) == LIST_FIELD:
        for pair in pairs:
            yield from _more_listed(block, pair[1], new, relation_type)
        return
    for pair in pairs:
        yield from _more_in(block, pair, new)
    if not pairs:
        yield from _new_pair(block, root, field, new)


# ------------------------------------------------------------ what is there


def _root(block: str) -> Any:
    try:
        node = yaml.compose(block, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return node if isinstance(node, yaml.MappingNode) else None


def _parts(block: str, field: str, raw: str) -> list[tuple[_Item, tuple[int, int] | None]]:
    """(item, the stretch of its text when it is one of a comma list); those that read ``raw`` first."""
    root = _root(block)
    if root is None or root.flow_style:
        return []
    found: list[tuple[bool, _Item, tuple[int, int] | None]] = []
    for pair in root.value:
        if field_key(pair[0].value) != field_key(field):
            continue
        for item in _items(pair, nested=field_key(field) == LIST_FIELD):
            text = _source(block, item.leaf)
            said = item.leaf.value if isinstance(item.leaf, yaml.ScalarNode) else text
            found.append((_same(said, raw), item, None))
            if isinstance(item.leaf, yaml.ScalarNode) and "," in text and item.leaf.style in (None, "'", '"'):
                found += [(_same(text[s:e].strip("'\""), raw), item, (s, e)) for s, e in parts_of(text)]
    return [(item, part) for _, item, part in sorted(found, key=lambda each: not each[0])]


def _items(pair: tuple[Any, Any], *, nested: bool) -> Iterator[_Item]:
    value = pair[1]
    if isinstance(value, yaml.ScalarNode):
        yield _Item(value, value, None, pair)
    elif isinstance(value, yaml.SequenceNode):
        for each in value.value:
            yield _Item(_leaf(each), each, value, pair)
    elif isinstance(value, yaml.MappingNode) and nested:
        for inner in value.value:
            yield from _items(inner, nested=False)
    elif isinstance(value, yaml.MappingNode):
        yield _Item(_leaf(value), value, None, pair)


def _leaf(node: Any) -> Any:
    """The node that names the document: a value, or that of the first key of a mapping which does."""
    if isinstance(node, yaml.MappingNode):
        inner = {key.value: value for key, value in node.value if isinstance(key.value, str)}
        return next((inner[key] for key in TARGET_KEYS if key in inner), node)
    return node


def _same(said: Any, raw: str) -> bool:
    return " ".join(str(said).split()) == raw


def _source(block: str, node: Any) -> str:
    return block[node.start_mark.index : node.end_mark.index]


def _end(node: Any) -> int:
    """Where the last word of a node ends; the parser's mark stands behind the comments after a collection."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1]) or int(node.value[-1][0].end_mark.index) + 1
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1])
    return int(node.end_mark.index)


# ------------------------------------------------------------ less


def _spliced(block: str, node: Any, text: str) -> str:
    return block[: node.start_mark.index] + text + block[node.end_mark.index :]


def _without_pair(block: str, pair: tuple[Any, Any]) -> str:
    return _without_lines(block, pair[0].start_mark.index, max(_end(pair[1]), pair[0].end_mark.index))


def _without_element(block: str, item: _Item) -> Iterator[str]:
    elements = item.inside.value
    place = elements.index(item.whole)
    start, end = item.whole.start_mark.index, item.whole.end_mark.index
    if item.inside.flow_style:
        if place:
            yield block[: elements[place - 1].end_mark.index] + block[end:]
        else:
            yield block[:start] + block[elements[1].start_mark.index :]
        return
    line = block.rfind("\n", 0, start) + 1
    if _DASH.fullmatch(block, line, start):
        yield _without_lines(block, start, _end(item.whole))


def _without_lines(block: str, start: int, end: int) -> str:
    first = block.rfind("\n", 0, start) + 1
    while end > start and block[end - 1] in "\r\n":
        end -= 1
    last = block.find("\n", end)
    return block[:first] + ("" if last < 0 else block[last + 1 :])


# ------------------------------------------------------------ more


def _more_in(block: str, pair: tuple[Any, Any], new: str) -> Iterator[str]:
    value = pair[1]
    if isinstance(value, yaml.SequenceNode):
        yield from _more_elements(block, pair, new)
    elif isinstance(value, yaml.ScalarNode) and is_nothing(value.value):
        gap = "" if block[value.start_mark.index - 1 : value.start_mark.index] in (" ", "\t") else " "
        yield _spliced(block, value, gap + _written(new, like=value, flow=False))
    elif isinstance(value, yaml.ScalarNode) and value.style in (None, "'", '"'):
        text = _source(block, value)
        as_list = f"[{text}, {_written(new, like=value, flow=True)}]"
        comma = f"{text}, {new}" if value.style is None else f"{text[:-1]}, {new}{text[-1]}"
        numbers = new.isdigit() and not text.startswith("[")
        for candidate in (comma, as_list) if numbers or "," in text else (as_list, comma):
            yield _spliced(block, value, candidate)


def _more_elements(block: str, pair: tuple[Any, Any], new: str) -> Iterator[str]:
    value = pair[1]
    if value.flow_style:
        inner = value.end_mark.index - 1
        last = value.value[-1] if value.value else None
        text = _written(new, like=last, flow=True)
        place = last.end_mark.index if last is not None else inner
        yield block[:place] + (", " if last is not None else "") + text + block[place:]
        return
    last = value.value[-1]
    line = block.rfind("\n", 0, last.start_mark.index) + 1
    dash = block[line : last.start_mark.index]
    if _DASH.fullmatch(dash):
        like = last if isinstance(last, yaml.ScalarNode) else None
        yield _after(block, _end(last), dash + _written(new, like=like, flow=False))


def _more_listed(block: str, value: Any, new: str, relation_type: str) -> Iterator[str]:
    """One more entry of the list of relationships of any type."""
    if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value:
        there = [pair for pair in value.value if field_key(pair[0].value) == field_key(relation_type)]
        for pair in there:
            yield from _more_in(block, pair, new)
        if not there:
            yield from _new_pair(block, value, relation_type, new)
    elif isinstance(value, yaml.SequenceNode) and value.value and isinstance(value.value[-1], yaml.MappingNode):
        last = value.value[-1]
        named, via = _written(new, like=None, flow=True), _written(relation_type, like=None, flow=True)
        entry = f"{{type: {via}, to: {named}}}"
        if value.flow_style:
            place = last.end_mark.index
            yield f"{block[:place]}, {entry}{block[place:]}"
            return
        line = block.rfind("\n", 0, last.start_mark.index) + 1
        dash = block[line : last.start_mark.index]
        if _DASH.fullmatch(dash):
            between = f"{newline_of(block)}{' ' * len(dash)}"
            text = entry if last.flow_style else f"type: {via}{between}to: {named}"
            yield _after(block, _end(last), dash + text)


def _new_pair(block: str, mapping: Any, field: str, new: str) -> Iterator[str]:
    last = mapping.value[-1]
    indent = " " * mapping.value[0][0].start_mark.column
    end = max(_end(last[1]), last[0].end_mark.index + 1)
    listed = _after(
        block, end, f"{indent}{field}:{newline_of(block)}{_dash(block, indent)}{_written(new, like=None, flow=False)}"
    )
    plain = _after(block, end, f"{indent}{field}: {_written(new, like=None, flow=False)}")
    yield from (plain, listed) if new.isdigit() or not _has_lists(mapping) else (listed, plain)


def _has_lists(mapping: Any) -> bool:
    return any(isinstance(value, yaml.SequenceNode) and not value.flow_style for _, value in mapping.value)


def _dash(block: str, indent: str) -> str:
    """The dash of the lists in this block with the space before and behind it."""
    found = re.search(r"^([ \t]*-[ \t]+)\S", block, re.MULTILINE)
    return found[1] if found else f"{indent}  - "


def _after(block: str, end: int, line: str) -> str:
    """The block with a line more after that in which ``end`` stands."""
    while end > 0 and block[end - 1 : end] in ("\r", "\n"):
        end -= 1
    newline = newline_of(block)
    last = block.find("\n", end)
    if last < 0:
        return f"{block}{newline}{line}"
    return f"{block[: last + 1]}{line}{newline}{block[last + 1 :]}"


def _written(new: str, *, like: Any, flow: bool) -> str:
    """``new`` as a scalar, in the quotes of its neighbour; plain only where YAML reads the same."""
    style = getattr(like, "style", None) if isinstance(like, yaml.ScalarNode) else None
    if style == "'":
        return "'" + new.replace("'", "''") + "'"
    if style != '"':
        try:
            read = yaml.safe_load(f"[{new}]" if flow else f"- {new}")
        except (yaml.YAMLError, ValueError):
            read = None
        if isinstance(read, list) and len(read) == 1 and isinstance(read[0], str | int) and str(read[0]) == new:
            return new
    return json.dumps(new, ensure_ascii=False)
