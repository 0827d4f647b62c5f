"""YAML, TOML and JSON headers as plain values: core schema, numbers as written, bounded depth, clean strings."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from docgraph.boundary.limits import MAX_FRONT_MATTER_DEPTH, MAX_FRONT_MATTER_VALUES
from docgraph.boundary.shape import check_toml
from docgraph.boundary.text import clean, one_line
from docgraph.domain.graph import MAX_METADATA_DEPTH

MAX_VALUES = 20_000
MAX_KEY = 200
_MAX_INTEGER = 2**63


def plain_json(value: Any) -> Any:
    """``value`` as dicts with string keys, lists, strings, finite numbers, booleans and None.

    Dates become ISO strings, NaN and infinities strings, sets sorted lists. Raises ValueError for more than
    30 levels or 20,000 values.
    """
    return _Converter().convert(value, 0)


class _Converter:
    def __init__(self) -> None:
        self._n_values = 0

    def convert(self, value: Any, depth: int) -> Any:
        self._n_values += 1
        if self._n_values > MAX_VALUES:
            raise ValueError(f"the metadata has more than {MAX_VALUES:,} values")
        if depth > MAX_METADATA_DEPTH:
            raise ValueError(f"the metadata is nested more than {MAX_METADATA_DEPTH} levels deep")
        if isinstance(value, Mapping):
            return {self._key(key): self.convert(item, depth + 1) for key, item in value.items()}
        if isinstance(value, (set, frozenset)):
            value = sorted(value, key=str)
        if isinstance(value, (list, tuple)):
            return [self.convert(item, depth + 1) for item in value]
        return _scalar(value)

    @staticmethod
    def _key(key: object) -> str:
        return one_line(str(_scalar(key)), MAX_KEY)


def _scalar(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int):
        return value if -_MAX_INTEGER <= value < _MAX_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").replace("\x00", "")
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return clean(str(value))


def read_toml(block: str, *, first_line: int = 1) -> dict[str, Any]:
    """The fields as plain JSON. Raises ValueError (``tomllib.TOMLDecodeError`` among them) and RecursionError."""
    check_toml(block, first_line=first_line)
    return dict(plain_json(tomllib.loads(block, parse_float=_number)))


def _number(text: str) -> float | str:
    number = float(text.replace("_", ""))
    return number if repr(number) == text and not text.endswith(".0") else text


_QUICK, _FEW = 8_000, 30
_CAREFUL = re.compile(r"[&*!]")
_DEEP = re.compile(r"^[ \-?:]{60}", re.MULTILINE)
_NULL, _STRING, _MERGE = "tag:yaml.org,2002:null", "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
_BOOL, _INT, _FLOAT = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float"
NAMES = frozenset(("id", "document_id", "uid", "title", "name", "alias", "aliases", "slug"))
"""Fields whose values are names: ``title: 2024`` and ``id: true`` are texts."""

MAX_DOUBLES = 50


class TooMuch(ValueError):
    """A block that would take more time or memory than a header is worth; none of it is read."""


class Double(NamedTuple):
    """A key that stands twice in one mapping: the lines, from 0, where it stands first and again."""

    key: str
    first: int
    again: int


class Parsed(NamedTuple):
    """What a block holds, and the keys that stand in it twice; of two the last one counts."""

    value: Any
    doubles: tuple[Double, ...]


class _Float:
    """Matches the decimal fractions that a floating-point number gives back as they were written."""

    _PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,15})\.[0-9]{1,16}")

    def match(self, text: str) -> bool:
        """Whether it is one; ``1.10``, ``2.0`` and ``1e3`` are not: the number would not say how they were written."""
        return bool(self._PLAIN.fullmatch(text)) and not text.endswith(".0") and repr(float(text)) == text


_WORDS: tuple[tuple[str, Any, str], ...] = (
    (_NULL, re.compile(r"(?:~|null|Null|NULL|)\Z"), "~nN"),
    (_BOOL, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), "tTfF"),
    (_INT, re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z"), "-0123456789"),
    (_FLOAT, _Float(), "-0123456789"),
    (_MERGE, re.compile(r"<<\Z"), "<"),
)


def _resolvers() -> dict[str, list[tuple[str, Any]]]:
    found: dict[str, list[tuple[str, Any]]] = {"": [(_NULL, _WORDS[0][1])]}
    for tag, pattern, first in _WORDS:
        for character in first:
            found.setdefault(character, []).append((tag, pattern))
    return found


class _Core(yaml.constructor.SafeConstructor):  # type: ignore[misc]
    """What both loaders read otherwise than the library: words, names, keys that stand twice."""

    doubles: list[Double]

    def get_single_data(self) -> Any:
        """The one document of the text."""
        node = self._checked(self.get_single_node())
        if node is None:
            return None
        self.doubles = _doubles(node)
        _name(node)
        return self.construct_document(node)

    def _checked(self, node: Any) -> Any:
        return node


class BoundedLoader(_Core, yaml.SafeLoader):  # type: ignore[misc]
    """SafeLoader that refuses explicit tags, deep nesting, cycles, and aliases that grow beyond a bound."""

    yaml_implicit_resolvers = _resolvers()
    max_values = MAX_FRONT_MATTER_VALUES

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """One node; a tag, or a depth beyond the limit, is refused."""
        event: Any = self.peek_event()
        if getattr(event, "tag", None) not in (None, "!"):
            raise ValueError(f"the tag {event.tag[:60]!r} is not allowed")
        self._depth += 1
        if self._depth > MAX_FRONT_MATTER_DEPTH:
            raise TooMuch(f"it is nested more than {MAX_FRONT_MATTER_DEPTH} levels deep")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _checked(self, node: Any) -> Any:
        if node is not None and _grown_size(node, {}, set()) > self.max_values:
            raise TooMuch(f"it has more than {self.max_values:,} values when its aliases are written out")
        return node


_Quick: Any = None
if hasattr(yaml, "CSafeLoader"):

    class _Quick(_Core, yaml.CSafeLoader):  # type: ignore[misc,no-redef]
        """The library's C parser."""

        yaml_implicit_resolvers = _resolvers()


def read_yaml(block: str) -> Parsed:
    """The one document in a block. Raises yaml.YAMLError, ValueError, RecursionError and OverflowError."""
    if _is_plain(block):
        try:
            return _parsed(_Quick(block))
        except (yaml.YAMLError, ValueError, OverflowError, TypeError):
            pass  # the careful reader says what is wrong
    return _parsed(BoundedLoader(block))


def _parsed(loader: Any) -> Parsed:
    try:
        value = loader.get_single_data()
        return Parsed(value, tuple(getattr(loader, "doubles", ())))
    finally:
        loader.dispose()


def _is_plain(block: str) -> bool:
    """Whether the C parser may read it: small, flat, and without ``&``, ``*`` and ``!``: neither aliases nor tags.

    A block of 8,000 characters has fewer than 5,000 values.
    """
    brackets = block.count("[") + block.count("{")
    return not (
        _Quick is None or len(block) > _QUICK or brackets > _FEW or _CAREFUL.search(block) or _DEEP.search(block)
    )


def _mappings(node: Any) -> Iterator[Any]:
    """Every mapping under a node, each once, however aliases lead to it."""
    waiting, seen = [node], set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, yaml.MappingNode):
            yield each
            waiting += [part for pair in each.value for part in pair]
        elif isinstance(each, yaml.SequenceNode):
            waiting += each.value


def _doubles(node: Any) -> list[Double]:
    found: list[Double] = []
    for mapping in _mappings(node):
        lines: dict[str, int] = {}
        for key, _ in mapping.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue
            line = key.start_mark.line
            if key.value in lines:
                found.append(Double(key.value[:60], lines[key.value], line))
            lines[key.value] = line
    return sorted(found, key=lambda each: each.again)[:MAX_DOUBLES]


def _name(node: Any) -> None:
    """Make texts of what stands under the fields of ``NAMES`` at the top, alone or in a list; nothing stays nothing."""
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value.strip().casefold() in NAMES:
            for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                if isinstance(each, yaml.ScalarNode) and each.tag in (_BOOL, _INT, _FLOAT):
                    each.tag = _STRING


def _grown_size(node: Any, known: dict[int, int], open_nodes: set[int]) -> int:
    """Number of nodes under ``node`` with every alias written out, in time of the nodes as they stand."""
    if id(node) in known:
        return known[id(node)]
    if id(node) in open_nodes:
        raise TooMuch("an alias contains itself")
    children: list[Any] = []
    if isinstance(node, yaml.SequenceNode):
        children = list(node.value)
    elif isinstance(node, yaml.MappingNode):
        children = [part for pair in node.value for part in pair]
    open_nodes.add(id(node))
    size = 1 + sum(_grown_size(child, known, open_nodes) for child in children)
    open_nodes.discard(id(node))
    known[id(node)] = size
    return size
