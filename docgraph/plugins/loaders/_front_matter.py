"""Splits YAML (``---``) or TOML (``+++``) front matter from a text, and reads it without trusting it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from docgraph.boundary.limits import MAX_FRONT_MATTER, MAX_FRONT_MATTER_DEPTH, MAX_FRONT_MATTER_VALUES
from docgraph.boundary.shape import check_toml
from docgraph.plugins.loaders._plain_json import plain_json


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """(fields as plain JSON, body); no front matter gives ({}, text).

    Raises ValueError with one line when front matter is there but cannot be read: not YAML/TOML, no mapping, too
    large (64,000 characters), keys of more than 30 dotted parts, tags, or aliases that would grow to more than 5,000
    values.
    """
    fence = text[:3]
    if fence not in ("---", "+++"):
        return {}, text
    first_end = text.find("\n")
    if first_end < 0 or text[:first_end].rstrip() != fence:
        return {}, text
    end = _closing_fence(text, first_end, fence)
    if end is None:
        return {}, text  # a Markdown rule at the top, not front matter
    start, stop = end
    block = text[first_end + 1 : start]
    if len(block) > MAX_FRONT_MATTER:
        raise ValueError(
            f"the front matter has {len(block):,} characters; at most {MAX_FRONT_MATTER:,} are read: shorten it"
        )
    body = text[stop:].lstrip("\n")
    fields = _read_yaml(block) if fence == "---" else _read_toml(block)
    if fields is None:
        return {}, text
    return fields, body


def _closing_fence(text: str, first_end: int, fence: str) -> tuple[int, int] | None:
    """Where the closing fence line starts and ends."""
    ending = re.compile(rf"\n({re.escape(fence)}|\.\.\.)[ \t]*(?=\n|\Z)")
    found = ending.search(text, first_end)
    return None if found is None else (found.start() + 1, found.end())


def _read_yaml(block: str) -> dict[str, Any] | None:
    if not block.strip():
        return {}
    try:
        loaded = _read_by_library(block)
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
