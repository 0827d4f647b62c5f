"""Reads YAML files that hold documents: items of Doorstop, descriptions of HTTP interfaces (OpenAPI)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from docgraph.boundary.imports.plain_values import BoundedLoader, plain_json
from docgraph.boundary.limits import MAX_LINE, MAX_YAML_FILE, MAX_YAML_VALUES
from docgraph.boundary.text import decode, one_line
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._trees import doorstop, openapi

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
        if not is_openapi and len(set(_DOORSTOP.findall(text))) < doorstop.MIN_FIELDS:
            raise ValueError(_NEITHER)
        if len(data) > MAX_YAML_FILE:
            said = f"{len(data):,} bytes; at most {MAX_YAML_FILE:,} of YAML are read"
            raise ValueError(f"the file has {said}{': convert it to JSON' if is_openapi else ''}")
        value = _parsed(text)
        if is_openapi and openapi.is_description(value):
            yield from openapi.read(value, source)
        elif doorstop.is_item(value):
            yield from doorstop.read(value, source)
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
        raise ValueError(f"the file is not YAML that is read: {one_line(str(error), 200)}") from None


def plain_values(value: Any) -> Any:
    """Mappings with texts as keys, without end: dates and numbers as keys become texts. Bounded by the parser."""
    if isinstance(value, dict):
        return {str(key): plain_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_values(item) for item in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else plain_json(value)


def build() -> YAMLLoader:
    """The loader; it has no options."""
    return YAMLLoader()
