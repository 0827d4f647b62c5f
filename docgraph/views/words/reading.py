"""Document text for reading: without the marks of Markdown and reStructuredText. Still hostile, still to be escaped."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from docutils import frontend, utils
from docutils.parsers.rst import Parser, languages, states
from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_LENGTH = 12_000
"""Characters that are parsed; a longer text is shown as it stands: parsers take much longer for some long ones."""

MAX_RST_BLOCK = 4_000
"""The same of one block of reStructuredText, whose reader takes longer."""

BULLET = "• "
_AS_IT_STANDS = frozenset((".txt", ".text", ".log", ".html", ".htm", ".pdf"))
"""Files whose text has no marks."""
_RST = frozenset((".rst", ".rest"))
_ROLE = re.compile(r"(?<![\w`])(?<!`` ):[A-Za-z][\w.+:-]{0,60}:`[^`\n]+`(?!`)|(?<!`)`[^`\n<>]+<[^`\n<>]+>`__?(?![\w`])")
"""Words with a role, or a link with its address, which only reStructuredText has: a quotation names no file."""
_ITEM = re.compile(r"^[*+-][ \t]+")
_MYST_ROLE = re.compile(r"\{[A-Za-z][\w.+:-]{0,60}\}\Z")
_SETTINGS = {"file_insertion_enabled": False, "raw_enabled": False, "report_level": 5, "halt_level": 5}


def readable(text: str, *, source: str = "") -> str:
    """``text`` as a person reads it: links by their words, images by theirs, code and HTML letter by letter.

    ``source`` = the file it comes from, whose ending names the marks; Markdown without one. Paragraphs and items stay
    on lines of their own. A text of nothing but marks, or one that cannot be parsed, stands as it is.
    """
    if len(text) > MAX_LENGTH or not text.strip():
        return text
    suffix = PurePosixPath(source.replace("\\", "/")).suffix.lower()
    rst = suffix in _RST
    if not suffix and _ROLE.search(text):
        rst, text = True, _ITEM.sub(BULLET, text)
    return text if suffix in _AS_IT_STANDS else _readable(text, rst)


def readable_line(text: str, *, source: str = "") -> str:
    """The same on one line: for a summary, a quotation."""
    return " ".join(readable(text, source=source).split())


@lru_cache(maxsize=4_096)
def _readable(text: str, rst: bool) -> str:
    try:
        shown = _from_rst(text) if rst else _LINES.sub("\n\n", "".join(_blocks(_MARKDOWN.parse(text)))).strip("\n")
    except RecursionError:
        return text
    return shown if shown.strip() else text


# ------------------------------------------------------------ Markdown

_LINES = re.compile(r"\n{3,}")
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{0,500}))?\]\]")
_CALLOUT = re.compile(r"\[!([A-Za-z][\w-]{0,30})\][+-]?")
_FENCED = re.compile(r":{3,}[ \t]*(?:\{?([A-Za-z][\w-]{0,30})\}?(?:\[([^\[\]]{0,200})\])?)?[ \t]*")
"""An admonition of Docusaurus and MyST: ``:::note[Title]``, ``:::{note}``, and the ``:::`` that ends it."""
_MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 20}).enable(["table", "strikethrough"])


_STANDING = ("fence", "code_block", "html_block")
_NO_BREAK = frozenset(("list_item_close", "th_close", "td_close", "thead_close", "tbody_close", "blockquote_close"))


def _blocks(tokens: Sequence[Token]) -> Iterator[str]:
    """The blocks and what stands between them: an empty line, within a list or a table one break."""
    marks: list[str] = []  # of the item that has just begun
    numbers: list[int] = []  # of the lists that are open; -1 counts nothing
    cells = 0
    for token in tokens:
        if token.type in ("ordered_list_open", "bullet_list_open"):
            numbers.append(int(token.attrGet("start") or 1) if token.type[0] == "o" else -1)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            numbers.pop()
            yield "" if numbers else "\n"
        elif token.type == "list_item_open":
            marks = [f"{'  ' * (len(numbers) - 1)}{BULLET if numbers[-1] < 0 else f'{numbers[-1]}. '}"]
            numbers[-1] += numbers[-1] >= 0
        elif token.type in ("th_open", "td_open"):
            yield " | " if cells else ""
            cells += 1
        elif token.type == "tr_close":
            cells = 0
        elif token.type == "inline" or token.type in _STANDING:
            said = _inline(token.children or ()) if token.type == "inline" else token.content.rstrip("\n")
            yield f"{marks.pop() if marks else ''}{said}"
        if token.type in _STANDING or (token.type.endswith("_close") and token.type not in _NO_BREAK | _LIST_CLOSES):
            yield "\n" if numbers or token.type == "tr_close" else "\n\n"


_LIST_CLOSES = frozenset(("ordered_list_close", "bullet_list_close"))


def _inline(tokens: Sequence[Token]) -> str:
    """The words: of a link those that are shown, of an image its description, of a break a break."""
    said = []
    for token in tokens:
        if token.type.endswith("break"):
            said.append("\n")
        elif token.type == "image":
            said.append(_inline(token.children or ()) or str(token.attrGet("src") or ""))
        elif token.type == "code_inline" and said and (role := _MYST_ROLE.search(said[-1])):
            said[-1:] = [said[-1][: role.start()], _shown(token.content)]
        else:
            said.append(_notes(token.content) if token.type == "text" else token.content)
    return "".join(said)


def _notes(text: str) -> str:
    """Links of notes by their words (``[[Note|this]]`` = this), the beginning of a callout by its kind."""
    if text.startswith(":::"):
        text = _FENCED.sub(_kind, text, count=1)
    if "[[" in text:
        text = _WIKI.sub(lambda found: found[2] or " › ".join(filter(None, found[1].split("#"))), text)
    return _CALLOUT.sub(lambda found: f"{found[1].capitalize()}:", text, count=1) if text.startswith("[!") else text


def _kind(found: re.Match[str]) -> str:
    """``Note: `` with the title of an admonition, where it has one; nothing for its end."""
    return f"{found[1].capitalize()}: {found[2] or ''}" if found[1] else ""


# ------------------------------------------------------------ reStructuredText


def _from_rst(text: str) -> str:
    """Marks inside lines only: blocks (and with them directives, which do things) are left as they stand."""
    inline = _Inline()
    return "\n\n".join(
        block if _literal(block) else inline.words(block[:-1] if block.endswith("::") else block)
        for block in text.split("\n\n")
    )


def _literal(block: str) -> bool:
    """Whether every line is indented (an example, where a star is a star), or there is too much to parse."""
    return len(block) > MAX_RST_BLOCK or all(line[:1] in (" ", "\t", "") for line in block.split("\n"))


class _Inline:
    """docutils' reader of marks inside lines."""

    def __init__(self) -> None:
        settings = frontend.get_default_settings(Parser)
        for name, value in {**_SETTINGS, "warning_stream": io.StringIO()}.items():
            setattr(settings, name, value)
        self._document = utils.new_document("text", settings)
        self._inliner = states.Inliner()
        self._inliner.init_customizations(settings)
        self._memo = states.Struct(
            document=self._document,
            reporter=self._document.reporter,
            language=languages.get_language("en", self._document.reporter),
            title_styles=[],
            section_level=0,
            inliner=self._inliner,
        )

    def words(self, text: str) -> str:
        found, _ = self._inliner.parse(text, 1, self._memo, self._document)
        return "".join(map(_rst_words, found))


def _rst_words(node: Any) -> str:
    """A role that docutils does not know is told by the words between its quotes."""
    said = str(node.astext())
    if node.tagname == "problematic" and said.count("`") >= 2:
        return _shown(said[said.index("`") :].strip("`_"))
    return said


def _shown(words: str) -> str:
    """Of ``words <target>`` the words."""
    shown, opened, _ = words.rpartition("<")
    return shown.strip() if opened and shown.strip() and words.endswith(">") else words
