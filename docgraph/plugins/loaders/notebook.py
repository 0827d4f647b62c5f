"""Reads Jupyter notebooks: prose as Markdown, code as code blocks; what a run printed is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.imports.plain_values import plain_json
from docgraph.boundary.limits import MAX_CELLS, MAX_NOTEBOOK_BYTES
from docgraph.boundary.text import check_length, check_lines, clean, one_line
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._composing import BoundedLoader, compose
from docgraph.plugins.loaders._graphs.nodes import read_json
from docgraph.plugins.loaders._markdown_outline import markdown_sections


class NotebookLoader(BoundedLoader):
    """One document per notebook (nbformat 3 and 4); ``language`` and the notebook's own ``title`` become metadata."""

    name = "notebook"
    suffixes: tuple[str, ...] = (".ipynb",)
    most_bytes = MAX_NOTEBOOK_BYTES

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """The one document, behind what its header tells. Raises ValueError with a one-line reason."""
        notebook = read_json(data, max_bytes=self._max_bytes)
        if not isinstance(notebook, Mapping) or not ("cells" in notebook or "worksheets" in notebook):
            raise ValueError("the file is JSON but not a notebook: it has no cells")
        given = notebook.get("metadata")
        metadata = given if isinstance(given, Mapping) else {}
        language = _language(metadata)
        text = clean("\n\n".join(filter(None, (_cell(cell, language) for cell in _cells(notebook)))))
        front, body, told = split_front_matter(text)
        if not body.strip():
            raise ValueError("the notebook has no text: every cell is empty")
        check_length(body)
        check_lines(body, self._max_line)
        heading, sections = markdown_sections(body)
        fields = {**({"language": language} if language else {}), **_titled(metadata), **front}
        title = "" if fields.get("title") else heading
        return iter((*told, compose(source, text=body, sections=sections, title=title, metadata=fields)))


def _cells(notebook: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    sheets = notebook.get("worksheets")
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets, list):
        cells = [cell for sheet in sheets if isinstance(sheet, Mapping) for cell in _list(sheet.get("cells"))]
    found = [cell for cell in _list(cells) if isinstance(cell, Mapping)]
    if len(found) > MAX_CELLS:
        raise ValueError(f"the notebook has {len(found):,} cells; at most {MAX_CELLS:,} are read: split it")
    return found


def _cell(cell: Mapping[str, Any], language: str) -> str:
    kind = cell.get("cell_type")
    given = cell.get("source", cell.get("input", ""))
    text = ("".join(map(str, given)) if isinstance(given, list) else str(given)).strip("\n")
    if not text.strip():
        return ""
    if kind == "code":
        fence = "`" * max(3, 1 + _longest_fence(text))
        return f"{fence}{language}\n{text}\n{fence}"
    if kind == "heading":
        level = cell.get("level")
        return f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {one_line(text)}"
    return text


def _longest_fence(text: str) -> int:
    return max((len(line) - len(line.lstrip("`")) for line in map(str.strip, text.split("\n"))), default=0)


def _language(metadata: Mapping[str, Any]) -> str:
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(name)
        if isinstance(part, Mapping) and isinstance(part.get(key), str):
            return "".join(c for c in part[key][:30].lower() if c.isalnum() or c in "+-#")
    return ""


def _titled(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a notebook says of itself as a document; what a program keeps in it is left out."""
    return dict(
        plain_json({key: metadata[key] for key in ("title", "authors", "description", "tags") if key in metadata})
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


build = NotebookLoader
