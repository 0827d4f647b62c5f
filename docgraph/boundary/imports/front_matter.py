"""Splits YAML (``---``) or TOML (``+++``) front matter from a text, and reads it and sidecars without trusting them."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from docgraph.boundary.imports.plain_json import plain_json
from docgraph.boundary.limits import MAX_FRONT_MATTER, MAX_FRONT_MATTER_DEPTH, MAX_FRONT_MATTER_VALUES
from docgraph.boundary.shape import check_toml

_DOCUMENT_START = re.compile(r"(?:[ \t]*(?:#[^\n]{0,1000})?\n){0,100}---[ \t]*\n")
_QUICK, _FEW = 8_000, 30
_CAREFUL = re.compile(r"[&*!]")
_DEEP = re.compile(r"^[ \-?:]{60}", re.MULTILINE)


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """(fields as plain JSON, body); no front matter gives ({}, text).

    Raises ValueError with one line when front matter is there but cannot be read: not YAML/TOML, no mapping, too
    large (64,000 characters), keys of more than 30 dotted parts, tags, or aliases that would grow to more than 5,000
    values.
    """
    block, body = fenced(text)
    if block is None:
        return {}, text
    if len(block) > MAX_FRONT_MATTER:
        raise ValueError(
            f"the front matter has {len(block):,} characters; at most {MAX_FRONT_MATTER:,} are read: shorten it"
        )
    fields = _read_yaml(block) if text.startswith("---") else _read_toml(block)
    if fields is None:
        return {}, text
    return fields, body


def fenced(text: str) -> tuple[str | None, str]:
    """(what stands between the fences at the top, the text below them); (None, text) where there are no fences."""
    fence = text[:3]
    if fence not in ("---", "+++"):
        return None, text
    first_end = text.find("\n")
    if first_end < 0 or text[:first_end].rstrip() != fence:
        return None, text
    end = _closing_fence(text, first_end, fence)
    if end is None:
        return None, text  # a Markdown rule at the top, not front matter
    start, stop = end
    return text[first_end + 1 : start], text[stop:].lstrip("\n")


def read_sidecar(text: str, *, toml: bool = False, first_line: int = 1) -> dict[str, Any]:
    """The fields of a file of YAML (or JSON, or TOML) that lies beside a text.

    ``first_line`` is where ``text`` starts in its file. Raises ValueError with one line that starts with "it" and names
    field and line, for what is no mapping too.
    """
    if len(text) > MAX_FRONT_MATTER:
        raise ValueError(f"it has {len(text):,} characters; at most {MAX_FRONT_MATTER:,} are read: shorten it")
    block = text.lstrip("\ufeff")
    start = _DOCUMENT_START.match(block)
    block = block[start.end() :] if start else block
    lines_before = start[0].count("\n") if start else 0
    try:
        if toml:
            check_toml(block)
            return dict(plain_json(tomllib.loads(block)))
        fields = _read_quickly(block)
        fields = _read_by_library(block) if fields is None else fields
    except RecursionError:
        raise ValueError(f"it is nested more than {MAX_FRONT_MATTER_DEPTH} levels deep") from None
    except (tomllib.TOMLDecodeError, yaml.YAMLError, ValueError, OverflowError) as error:
        raise ValueError(
            f"it cannot be read: {why_unreadable(block, error, first_line=first_line + lines_before)}"
        ) from None
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise ValueError("it holds no fields: a mapping of names to values is asked for")
    return dict(plain_json(fields))


def why_unreadable(block: str, error: Exception, *, first_line: int) -> str:
    """One line on what is wrong with a block of YAML: the field and the line, as far as they can be found.

    ``first_line`` is where the block starts in its file.
    """
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        where = f" in line {mark.line + first_line}" if mark else ""
        return f"{error.problem or error.context}{where}"
    reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
    place = _unreadable_value(block) if isinstance(error, ValueError | OverflowError) else None
    if place is None:
        return reason
    field, line, value = place
    return f"{reason}: field {field!r} in line {line + first_line}: {value}"


def _unreadable_value(block: str) -> tuple[str, int, str] | None:
    """(field, line from 0, value) of the first value that YAML takes for a date or number and that is none."""
    try:
        loader = BoundedLoader(block)
        node = loader.get_single_node()
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    waiting = [("", node)] if node is not None else []
    while waiting:
        field, each = waiting.pop(0)
        if isinstance(each, yaml.MappingNode):
            waiting += [(str(key.value)[:60], value) for key, value in each.value]
        elif isinstance(each, yaml.SequenceNode):
            waiting += [(field, value) for value in each.value]
        elif isinstance(each, yaml.ScalarNode):
            try:
                loader.construct_object(each)
            except (yaml.YAMLError, ValueError, OverflowError):
                return field, each.start_mark.line, repr(each.value[:60])
    return None


def _read_quickly(block: str) -> Any:
    """What the library's C parser reads in a small, flat, plain block; None where the careful reader is to do it.

    A block without ``&``, ``*`` and ``!`` has neither aliases nor tags; one of 8,000 characters has fewer than 5,000
    values.
    """
    loader = getattr(yaml, "CSafeLoader", None)
    brackets = block.count("[") + block.count("{")
    if loader is None or len(block) > _QUICK or brackets > _FEW or _CAREFUL.search(block) or _DEEP.search(block):
        return None
    try:
        return yaml.load(block, Loader=loader)
    except (yaml.YAMLError, ValueError, OverflowError):
        return None  # the careful reader says what is wrong


def _closing_fence(text: str, first_end: int, fence: str) -> tuple[int, int] | None:
    """Where the closing fence line starts and ends."""
    ending = re.compile(rf"\n({re.escape(fence)}|\.\.\.)[ \t]*(?=\n|\Z)")
    found = ending.search(text, first_end)
    return None if found is None else (found.start() + 1, found.end())


def _read_yaml(block: str) -> dict[str, Any] | None:
    if not block.strip():
        return {}
    try:
        quick = _read_quickly(block)
        loaded = _read_by_library(block) if quick is None else quick
    except yaml.MarkedYAMLError as error:
        line = f" in line {error.problem_mark.line + 2}" if error.problem_mark else ""
        raise ValueError(f"the front matter is not YAML: {error.problem or error.context}{line}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ValueError(f"the front matter is not YAML: {str(error).splitlines()[0][:200]}") from None
    except RecursionError:
        raise ValueError(f"the front matter is nested more than {MAX_FRONT_MATTER_DEPTH} levels deep") from None
    if loaded is None:
        return {}
    # Two rules with prose between them are Markdown, not metadata.
    return plain_json(loaded) if isinstance(loaded, dict) else None


def _read_by_library(block: str) -> Any:
    handler = _SafeYAML()
    frontmatter.parse(f"---\n{block}\n---\n", handler=handler)
    return handler.loaded


class _SafeYAML(YAMLHandler):
    """The library's handler with a loader that refuses bombs; keeps what was read, mapping or not."""

    loaded: Any = None

    def split(self, text: str) -> tuple[str, str]:
        return text[4:].rsplit("\n---", 1)[0], ""

    def load(self, fm: str, **kwargs: Any) -> Any:
        self.loaded = yaml.load(fm, Loader=BoundedLoader)
        return self.loaded


class BoundedLoader(yaml.SafeLoader):  # type: ignore[misc]
    """SafeLoader that refuses explicit tags, deep nesting, cycles, and aliases that grow beyond a bound."""

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
            raise ValueError(f"it is nested more than {MAX_FRONT_MATTER_DEPTH} levels deep")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def get_single_data(self) -> Any:
        """The one document of the text, unless its aliases grow it beyond ``max_values``."""
        node = self.get_single_node()
        if node is None:
            return None
        if _grown_size(node, {}, set()) > self.max_values:
            raise ValueError(f"it has more than {self.max_values:,} values when its aliases are written out")
        return self.construct_document(node)


def _grown_size(node: Any, known: dict[int, int], open_nodes: set[int]) -> int:
    """Number of nodes under ``node`` with every alias written out, in time of the nodes as they stand."""
    if id(node) in known:
        return known[id(node)]
    if id(node) in open_nodes:
        raise ValueError("an alias contains itself")
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


def _read_toml(block: str) -> dict[str, Any]:
    try:
        check_toml(block, first_line=2)
        return dict(plain_json(tomllib.loads(block)))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"the front matter is not TOML: {str(error).splitlines()[0][:200]}") from None
