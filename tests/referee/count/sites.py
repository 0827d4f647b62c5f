"""Sites and repositories of Markdown: which file a link means, as each tool documents it."""

from __future__ import annotations

import posixpath
import re

import yaml

from tests.referee.count import markdown
from tests.referee.count.folder import Folder, Pairs, joined, local, pairs_of

MARKDOWN = (".md", ".markdown", ".mdx", ".mdown", ".mkd")
_PAGES = ("README.md", "readme.md", "index.md", "Readme.md", "index.mdx")
_MAX_NAME = 300
_NUMBERED = re.compile(r"^\d+[ \t]*[-_.)][ \t]*(?=\D)|^\d+[-_.][ \t]*(?=.)")
_MDX_COMMENT = re.compile(r"\{/\*.*?\*/\}", re.DOTALL)
_COMPONENT = re.compile(r"^<(?=[A-Z])", re.MULTILINE)
_INCLUDE = re.compile(r"\{\{#(?:rustdoc_)?include[ \t]+([^}:\n]+?)(?::[^}\n]*)?\}\}")
_ADOC_COMMENT = re.compile(r"^//(?!/).*$", re.MULTILINE)
_ADOC_INCLUDE = re.compile(r"^include::([^\[\]\s]+)\[", re.MULTILINE)
_ADOC_SPAN = re.compile(r"`[^`\n]+`")
_XREF = re.compile(r"xref:([^\[\]\s]+)\[")
_HTML_PAGE = re.compile(r"\.html?$")
_ADOC_CODE = re.compile(r"^(-{4,}|\.{4,}|/{4,})$.*?^\1$", re.MULTILINE | re.DOTALL)


def _file(folder: Folder, path: str | None) -> str | None:
    """The file at a path, or the page that stands for the folder there."""
    if path is None:
        return None
    if path in folder.names:
        return path
    page = next((page for name in _PAGES if (page := posixpath.normpath(f"{path}/{name}")) in folder.names), None)
    return None if page is None else _linked(folder, page)


def _linked(folder: Folder, page: str) -> str:
    """What a page means whose text is another's name alone: a link of git's, where a system has none."""
    if (folder.root / page).stat().st_size > _MAX_NAME:
        return page
    other = posixpath.normpath(posixpath.join(posixpath.dirname(page), folder.text(page).strip()))
    return other if other in folder.names else page


def github(folder: Folder) -> Pairs:
    """Relative paths from the file, ``/`` from the root, a folder is its README (docs.github.com, Relative links)."""
    texts = folder.named(*MARKDOWN)
    found = []
    for name in texts:
        for destination in markdown.links(markdown.parsed(folder.text(name))):
            if path := local(destination):
                target = _file(folder, joined(posixpath.dirname(name), path))
                found.append((name, target if target in texts else None))
    return pairs_of(found)


def mdbook(folder: Folder) -> Pairs:
    """As a repository, with ``.html`` for the page of a ``.md``, and ``{{#include}}`` (rust-lang.github.io/mdBook)."""
    texts = folder.named(*MARKDOWN)
    found = []
    for name in texts:
        text = folder.text(name)
        written = [local(each) for each in markdown.links(markdown.parsed(text))]
        # An address never leads above the site: browsers drop a leading "..".
        pages = [posixpath.normpath(posixpath.join("/", posixpath.dirname(name), each)) for each in written]
        asked = [_HTML_PAGE.sub(".md", p) if _HTML_PAGE.search(p) else w for p, w in zip(pages, written, strict=True)]
        for path in (*filter(None, asked), *_INCLUDE.findall(text)):
            target = _file(folder, joined(posixpath.dirname(name), path))
            found.append((name, target if target in texts else None))
    return pairs_of(found)


def mkdocs(folder: Folder) -> Pairs:
    """Paths of ``.md`` files from the file; other paths as addresses from the page's own (mkdocs.org, Writing docs)."""
    texts = folder.named(*MARKDOWN)
    found = []
    for name in texts:
        for destination in markdown.links(markdown.parsed(markdown.opened_blocks(folder.text(name)))):
            if not (path := local(destination)):
                continue
            if path.endswith(MARKDOWN):
                found.append((name, _file(folder, joined(posixpath.dirname(name), path))))
                continue
            stem = name.removesuffix(".md")
            here = posixpath.dirname(name) if posixpath.basename(stem) in ("index", "README") else stem
            at = joined(here, path)
            pages = () if at is None else (f"{at}.md", f"{at}/index.md", f"{at}/README.md", at)
            found.append((name, next((posixpath.normpath(p) for p in pages if posixpath.normpath(p) in texts), None)))
    return pairs_of((source, target if target in texts else None) for source, target in found)


def docusaurus(folder: Folder) -> Pairs:
    """Paths with a suffix as files, others as addresses made of slug, id and path (docusaurus.io, Create a doc)."""
    texts = folder.named(*MARKDOWN)
    address = {name: _permalink(name, folder.text(name)) for name in texts}
    by_address = {permalink: name for name, permalink in reversed(address.items())}
    found = []
    for name in texts:
        # In MDX a component at the beginning of a line makes no block of HTML: what follows it is Markdown.
        text = _COMPONENT.sub("&#8203;<", _MDX_COMMENT.sub("", folder.text(name)))
        tree = markdown.parsed(text)
        for destination in markdown.links(tree):
            path = local(destination).removeprefix("@site")
            if not path:
                continue
            if path.endswith(MARKDOWN):
                at = joined(posixpath.dirname(name), path)
                beside = _file(folder, at)
                found.append((name, beside or _file(folder, joined("", path.removeprefix("/docs").lstrip("/")))))
                continue
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(address[name]), path))
            asked = (whole, "/" + whole.strip("/").partition("/")[2])
            found.append((name, next((by_address[each] for each in asked if each in by_address), None)))
    return pairs_of((source, target if target in texts else None) for source, target in found)


def _permalink(name: str, text: str) -> str:
    """The address of a page under its site, with a ``/`` before and none behind."""
    try:
        header = yaml.safe_load(markdown.front_matter(text)) or {}
    except yaml.YAMLError:
        header = {}
    header = header if isinstance(header, dict) else {}
    parts = [_NUMBERED.sub("", part) for part in name.rsplit(".", 1)[0].split("/")]
    folder, last = "/".join(parts[:-1]), str(header.get("id") or parts[-1])
    if slug := str(header.get("slug") or ""):
        return posixpath.normpath(slug if slug.startswith("/") else f"/{folder}/{slug}")
    if last.lower() in ("index", "readme") or (parts[:-1] and last.lower() == parts[-2].lower()):
        return posixpath.normpath(f"/{folder}")
    return posixpath.normpath(f"/{folder}/{last}")


def antora(folder: Folder) -> Pairs:
    """``xref:`` by Antora's resource ids: component, module and the path in its ``pages`` (docs.antora.org)."""
    texts = folder.named(".adoc")
    found = []
    for name in texts:
        text = _ADOC_SPAN.sub(_balanced, _ADOC_COMMENT.sub("", _ADOC_CODE.sub("", folder.text(name))))
        for written in (*_XREF.findall(text), *_ADOC_INCLUDE.findall(text)):
            found.append((name, _resource(folder, name, written.partition("#")[0])))
    return pairs_of(found)


def _balanced(found: re.Match[str]) -> str:
    """Nothing for code that is a whole macro; text between two stray backticks stays."""
    return "" if re.fullmatch(r"`xref:[^\s\[\]]+\[[^\[\]]*\]`", found[0]) else found[0]


def _resource(folder: Folder, name: str, written: str) -> str | None:
    if "/modules/" not in f"/{name}" or not written:
        return None
    before, _, behind = f"/{name}".rpartition("/modules/")
    parts = written.split("@")[-1].split(":")
    module = (parts[-2] or "ROOT") if len(parts) > 1 else behind.split("/")[0]
    family, path = "pages", parts[-1]
    if "$" in path:
        kind, _, path = path.partition("$")
        family = {"page": "pages", "partial": "partials", "example": "examples"}.get(kind, kind)
    base = f"{before.lstrip('/')}/modules/{module}/{family}".lstrip("/")
    if path.startswith("./"):
        base, path = posixpath.dirname(name), path[2:]
    at = posixpath.normpath(f"{base}/{path}")
    return next((each for each in (at, f"{at}.adoc") if each in folder.names), None)
