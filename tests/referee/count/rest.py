"""Sphinx projects: roles and tables of contents over all files (sphinx-doc.org, Cross-referencing syntax)."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise

from tests.referee.count.folder import Folder, Pairs, joined, pairs_of

_ROLE = re.compile(r":(?:std:)?(doc|ref|numref|any|term|keyword|download):`([^`]+)`")
_LABEL = re.compile(r"^[ \t]*\.\.[ \t]+_(`[^`\n]+`|[^:\n]+):[ \t]*$")
_DIRECTIVE = re.compile(r"^([ \t]*)\.\.[ \t]+([A-Za-z][\w:.-]*)::[ \t]*(.*)$")
_READ = (".rst", ".txt", ".md", ".html", ".pdf", ".odt", ".docx")
"""What is a document when a page downloads or includes it."""
_CODE = frozenset(
    (
        *("code", "code-block", "sourcecode", "highlight", "parsed-literal", "productionlist", "raw", "math"),
        *("doctest", "testcode", "testoutput", "prompt", "plantuml", "graphviz", "uml", "mermaid", "needuml"),
    )
)
_INLINE = re.compile(r"``.+?``", re.DOTALL)
_EXPLICIT = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
_LINE = re.compile(r"^([=\-`:.'\"~^_*+#])\1{2,}$")


def sphinx(folder: Folder) -> Pairs:
    """Every role, entry of a toctree and ``include`` whose target is a file of the project."""
    texts = folder.named(".rst")
    plain = {name: list(_without_code(folder.text(name))) for name in texts}
    labels, terms = _labels(plain), _terms(plain)
    if "autosectionlabel" in "".join(folder.text(name) for name in folder.names if name.endswith("conf.py")):
        for name, lines in plain.items():
            for title in _titles(lines):
                labels.setdefault(_words(title), name)
    found: list[tuple[str, str | None]] = []
    for name, lines in plain.items():
        body = _INLINE.sub("", "\n".join(lines))
        for role, written in _ROLE.findall(body):
            explicit = _EXPLICIT.match(written)
            target = (explicit[2] if explicit else written).strip().lstrip("!~")
            if written.startswith("!"):
                continue
            if role == "download":
                found += [(name, each) for each in _documents(target, name, folder.named(*_READ))]
                continue
            found.append((name, _target(role, target, name, texts, labels, terms)))
        for path in _entries(lines):
            found += [(name, each) for each in _documents(path, name, texts)]
        for path in _includes(lines):
            found += [(name, each) for each in _documents(path, name, folder.named(*_READ))]
    return pairs_of(found)


def _target(
    role: str, target: str, name: str, texts: list[str], labels: dict[str, str], terms: dict[str, str]
) -> str | None:
    if role == "doc":
        return next(iter(_documents(target, name, texts)), None)
    if role == "term":
        return terms.get(_words(target))
    found = labels.get(_words(target))
    if role == "any" and found is None:
        return terms.get(_words(target)) or next(iter(_documents(target, name, texts)), None)
    return found


def _documents(path: str, name: str, texts: list[str]) -> list[str]:
    at = joined("" if path.startswith("/") else posixpath.dirname(name), path.lstrip("/"))
    if at is None:
        return []
    if any(each in at for each in "*?["):
        return [each for each in texts if fnmatch.fnmatchcase(each.removesuffix(".rst"), at.removesuffix(".rst"))]
    return [each for each in (at, f"{at}.rst") if each in texts][:1]


def _without_code(text: str) -> Iterator[str]:
    """Lines without literal blocks, code and comments; directives keep their line."""
    skip: int | None = None
    pending: int | None = None
    for line in text.split("\n"):
        bare = line.expandtabs(8)
        indent = len(bare) - len(bare.lstrip())
        if skip is not None:
            if not bare.strip() or indent > skip:
                yield ""
                continue
            skip = None
        if pending is not None and bare.strip():
            if indent > pending:
                skip, pending = pending, None
                yield ""
                continue
            pending = None
        directive = _DIRECTIVE.match(bare)
        if directive and directive[2].split(":")[-1] in _CODE:
            skip = indent
            yield ""
            continue
        if bare.strip().startswith("..") and not directive:
            behind = bare.strip()[2:]
            is_other = behind[:1] == " " and (behind.strip()[:1] in ("_", "[", "|"))
            if not is_other and (not behind or behind[0] == " "):
                skip = indent
                yield ""
                continue
        if bare.rstrip().endswith("::") and not directive:
            pending = indent
        yield bare


def _labels(plain: dict[str, list[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, lines in plain.items():
        for line in lines:
            if label := _LABEL.match(line):
                found.setdefault(_words(label[1].strip("`")), name)
    for builtin in ("genindex", "modindex", "search"):
        found.pop(builtin, None)
    return found


def _terms(plain: dict[str, list[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, lines in plain.items():
        for body in _bodies(lines, "glossary"):
            margin = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=0)
            for line in body:
                if line.strip() and len(line) - len(line.lstrip()) == margin and not line.strip().startswith(":"):
                    found.setdefault(_words(line.split(" : ")[0]), name)
    return found


def _bodies(lines: list[str], directive: str) -> Iterator[list[str]]:
    for at, line in enumerate(lines):
        found = _DIRECTIVE.match(line)
        if found and found[2] == directive:
            body = []
            for below in lines[at + 1 :]:
                if below.strip() and len(below) - len(below.lstrip()) <= len(found[1]):
                    break
                body.append(below)
            yield body


def _entries(lines: list[str]) -> Iterator[str]:
    for body in _bodies(lines, "toctree"):
        for line in body:
            entry = line.strip()
            explicit = _EXPLICIT.match(entry)
            path = explicit[2] if explicit else entry
            if path and not path.startswith(":") and path != "self" and "://" not in path:
                yield path


def _includes(lines: list[str]) -> Iterator[str]:
    for line in lines:
        found = _DIRECTIVE.match(line)
        if found and found[2] in ("include", "literalinclude") and found[3]:
            yield found[3].strip()


def _titles(lines: list[str]) -> Iterator[str]:
    for above, below in pairwise(lines):
        is_title = above.strip() and not above.startswith(" ") and not _LINE.match(above.strip())
        if is_title and _LINE.match(below.strip()):
            yield above.strip()


def _words(text: str) -> str:
    return " ".join(text.lower().split())
