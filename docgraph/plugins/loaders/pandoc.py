"""Reads what pandoc converts: MediaWiki, Org, Word, PowerPoint, OpenDocument, RTF and EPUB."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from docgraph.boundary.confined import Confined
from docgraph.boundary.files.regular import entries_of, reason_of
from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.limits import (
    MAX_BYTES,
    MAX_CONVERSION_HEAP,
    MAX_CONVERSION_MEMORY,
    MAX_CONVERSION_SECONDS,
    MAX_EXPANDED,
    MAX_HEADER_LINES,
    MAX_HEADER_VALUE,
    MAX_LINE,
    MAX_OFFICE_BYTES,
)
from docgraph.boundary.text import check_length, check_lines, check_size, clean, decode, one_line
from docgraph.domain.graph import Document
from docgraph.domain.spelling import plain_letters
from docgraph.plugins.loaders._composing import compose
from docgraph.plugins.loaders._markdown_outline import markdown_sections

_ORG_KEY = re.compile(r"#\+([A-Za-z][\w-]{0,60}):[ \t]*(.*)")
_ORG_PROPERTY = re.compile(r"[ \t]*:([A-Za-z][\w-]{0,60}):[ \t]+(.*)")
_ID_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\(id:([\w.-]{1,200})\)")
_ORG_PLACE = re.compile(r"\]\(([^()\s]{1,500}?)::([^()\s]{0,500})\)")
_NOT_FIELDS = frozenset(("begin_src", "end_src", "include", "options", "property", "startup", "setupfile"))


def dropped_fields(text: str, kind: str) -> dict[str, str]:
    """The fields of a text that pandoc would drop."""
    return _org_fields(text) if kind == "org" else {}


def mended(body: str, kind: str) -> str:
    """Markdown in which links to other files are such: Org's ids and places."""
    if kind == "org":
        body = _ID_LINK.sub(lambda found: f"[[{found[2]}|{found[1]}]]", body)
        return _ORG_PLACE.sub(lambda found: f"]({found[1]}#{found[2].lstrip('*#')})", body)
    return body


def wiki_title(source: str) -> str:
    """The page's name, as MediaWiki shows it: without suffix, with spaces."""
    return PurePosixPath(source).stem.replace("_", " ")


def _org_fields(text: str) -> dict[str, str]:
    """``#+KEY: value`` and the property drawer above the first heading, names in lower case; a key twice is a list."""
    fields: dict[str, list[str]] = {}
    for line in text.split("\n", MAX_HEADER_LINES)[:MAX_HEADER_LINES]:
        if line.startswith("*"):
            break
        found = _ORG_KEY.match(line) or _ORG_PROPERTY.match(line)
        if found and found[2].strip() and found[1].lower() not in _NOT_FIELDS:
            fields.setdefault(found[1].lower().replace("-", "_"), []).append(found[2].strip())
    return {name: one_line(", ".join(values), MAX_HEADER_VALUE) for name, values in fields.items()}


EXTRA = "pip install 'docgraph[formats]'"
_MARKDOWN = (
    "commonmark_x-raw_html-attributes-bracketed_spans-fenced_divs-raw_attribute+wikilinks_title_after_pipe"
    "+yaml_metadata_block"
)
_HEAP_EXHAUSTED = 251


def as_markdown(data: bytes, kind: str, *, seconds: float) -> str:
    """``data`` in pandoc's input format ``kind`` as Markdown, document metadata as YAML front matter.

    ``--sandbox`` keeps pandoc from every file and address that the data name. Raises ValueError with one line when
    pandoc is not installed, cannot read the data, or takes more than ``seconds`` or 512 MB.
    """
    found = program()
    command = [
        found,
        *("+RTS", f"-M{MAX_CONVERSION_HEAP // 1_000_000}M", "-RTS"),
        *("--sandbox", "--standalone", "--wrap=none", f"--data-dir={Path(found).parent}"),
        *("--from", kind, "--to", _MARKDOWN),
    ]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(
            f"converting it took more than {seconds:g} seconds: split it, or leave out odd mark-up"
        ) from None
    except OSError as error:
        raise ValueError(f"pandoc cannot be started: {reason_of(error)}; install it again: {EXTRA}") from None
    if done.returncode == _HEAP_EXHAUSTED:
        raise ValueError(f"converting it takes more than {MAX_CONVERSION_HEAP // 1_000_000} MB of memory: a bomb?")
    if hasattr(signal, "SIGXCPU") and done.returncode == -signal.SIGXCPU:
        raise ValueError("converting it takes too much processor time: split it, or leave out odd mark-up")
    if done.returncode:
        said = one_line(done.stderr.decode("utf-8", "replace"), 200)
        raise ValueError(f"the file cannot be read as {kind}: {said or f'pandoc ended with {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


@cache
def program() -> str:
    """Where pandoc is. Raises ValueError when it is not installed."""
    try:
        import pypandoc
    except ImportError:
        raise ValueError(f"this format needs an optional package that is not installed: {EXTRA}") from None
    beside = Path(pypandoc.__file__).parent / "files"
    for name in ("pandoc", "pandoc.exe"):
        if (beside / name).is_file():
            return str(beside / name)
    try:
        return str(pypandoc.get_pandoc_path())
    except OSError:
        raise ValueError(f"this format needs pandoc, which is not installed: {EXTRA}") from None


_TEXTS = {
    ".mediawiki": "mediawiki",
    ".org": "org",
    ".rtf": "rtf",
    ".wiki": "mediawiki",
}
_CONTAINERS = {".docx": "docx", ".epub": "epub", ".odt": "odt", ".pptx": "pptx"}
_INSIDE = (("word/", "docx"), ("ppt/", "pptx"), ("META-INF/container.xml", "epub"), ("content.xml", "odt"))
_EMPTY_LINK = re.compile(r"!\[[^\[\]]{0,500}\]\([^()]{0,1000}\)")


class PandocLoader:
    """One document per file, its text as Markdown; the file's own metadata (title, author, …) become its metadata.

    Fields at the top of Org files (``#+KEY:``, the file's property drawer) are metadata too; one with an ``ID`` has it
    as its id, so that ``[[id:…]]`` finds it. Nothing is included from other files.
    """

    name = "pandoc"
    suffixes: tuple[str, ...] = tuple(sorted((*_TEXTS, *_CONTAINERS)))
    confined = Confined(program=program, memory=MAX_CONVERSION_MEMORY)

    def __init__(self, max_bytes: int, max_line: int, seconds: float) -> None:
        self._max_bytes = max_bytes
        self._max_line = max_line
        self._seconds = seconds

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Told]:
        """The one document, behind what its header tells. Raises ValueError with a one-line reason."""
        suffix = PurePosixPath(source).suffix.lower()
        fields: dict[str, Any] = {}
        if data[:4] == b"PK\x03\x04" or suffix in _CONTAINERS:
            check_size(data, self._max_bytes)
            kind = _container(data)
        else:
            kind = _TEXTS.get(suffix, "mediawiki")
            text = decode(data, max_bytes=min(self._max_bytes, MAX_BYTES), max_line=self._max_line)
            fields = dropped_fields(text, kind)
            data = text.encode("utf-8")
        written = plain_letters(clean(as_markdown(data, kind, seconds=self._seconds)))
        check_length(written)
        check_lines(written, self._max_line)
        found, body, told = split_front_matter(written)
        body = mended(body, kind)
        if not _EMPTY_LINK.sub("", body).strip():
            raise ValueError("the file has no text: only metadata or pictures")
        heading, sections = markdown_sections(body)
        title = wiki_title(source) if kind == "mediawiki" else heading
        title = "" if fields.get("title") or found.get("title") else title
        return iter((*told, compose(source, text=body, sections=sections, title=title, metadata={**fields, **found})))


def _container(data: bytes) -> str:
    """The format of a zipped document by what is in it. Raises ValueError for one that is none, or a bomb."""
    entries = entries_of(data, MAX_EXPANDED, name="the file", fault="the file is not a document in a zip container")
    names = [entry.filename for entry in entries]
    for start, kind in _INSIDE:
        if any(name.startswith(start) for name in names):
            return kind
    raise ValueError("the file is a zip archive but neither Word, PowerPoint, OpenDocument text nor EPUB")


def build(
    *, max_bytes: int = MAX_OFFICE_BYTES, max_line: int = MAX_LINE, seconds: float = MAX_CONVERSION_SECONDS
) -> PandocLoader:
    """A loader that refuses files over ``max_bytes`` bytes, lines over ``max_line``, conversions over ``seconds``."""
    return PandocLoader(max_bytes, max_line, seconds)
