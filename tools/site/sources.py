"""Pages of the documentation site, made of README.md, docs and docstrings: python -m tools.site.sources FOLDER.

Forges and the site's generator read Markdown differently: lists inside and after paragraphs, pictures for two themes,
bars in tables. Pages are written for forges, and changed here.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FRONT = {"README.md": "index.md", "SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md"}
FRONT["CHANGELOG.md"] = "changelog.md"
FOUND = {"glossary.md": 4, "changelog.md": 0.2}
"""How much more than others a page counts in the search."""
API = {
    "docgraph": ("connect", "Docgraph", "aconnect", "AsyncDocgraph", "display", "DocgraphError"),
    "retrieval": (
        "RetrievalRequest",
        "RetrievalPlan",
        "parse_plan",
        "RetrievedContext",
        "Run",
        "SavedRun",
        "Comparison",
    ),
    "documents": ("Document", "Relationship", "Edit", "ImpactReport", "Suggestion", "Vocabulary"),
    "checks": ("CheckReport", "Finding", "Rule"),
    "evaluation": ("QuerySet", "JudgedQuery", "StoredQuerySet", "Evaluation", "KeptEvaluation", "Judgment"),
    "contract": ("PacketRequest", "RetrievalResponse", "ContextPacket", "ContextCandidate", "ConfidenceSummary"),
}
"""Public names by page of the reference; names that are in no list are on the last page."""
LINK = re.compile(r"\[((?:[^\[\]`\n]|`[^`\n]*`)*)\]\(([^)\s#]*)(#[^)\s]*)?\)|`[^`\n]*`")
ITEM = re.compile(r"( *)([-*]|\d+\.) +(?=\S)")
PICTURE = re.compile(r"<picture>.*?<img alt=\"([^\"]*)\" src=\"([^\"]*)-light\.png\">.*?</picture>", re.DOTALL)


def main(folder: Path) -> None:
    """Write every page of the site into ``folder``, with the files that they link to."""
    shutil.rmtree(folder, ignore_errors=True)
    docs = ROOT / "docs"
    pages = {ROOT / name: name_there for name, name_there in FRONT.items()}
    pages |= {path: path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))}
    for path, name in pages.items():
        head = f"---\nsearch: {{boost: {FOUND[name]}}}\n---\n" if name in FOUND else ""
        _write(folder / name, head + page(path, name, pages))
    for asset in (*docs.glob("images/*.png"), *docs.glob("schemas/*.json")):
        _copy(asset, folder / asset.relative_to(docs))
    _copy(Path(__file__).with_name("site.css"), folder / "site.css")
    _write(folder / "schemas" / "index.md", _schemas(docs / "schemas"))
    for name, text in _api():
        _write(folder / "api" / f"{name}.md", text)


def page(path: Path, name: str, pages: dict[Path, str]) -> str:
    """The page at ``path`` as the generator needs it under ``name``; ``pages`` says where the targets of links are."""
    text = PICTURE.sub(
        lambda found: "\n\n".join(f"![{found[1]}]({found[2]}-{theme}.png#only-{theme})" for theme in ("light", "dark")),
        path.read_text(encoding="utf-8"),
    )
    return "\n".join(_lines(text, path, name, pages)) + "\n"


def _lines(text: str, path: Path, name: str, pages: dict[Path, str]) -> Iterator[str]:
    fence, shift, before, parts = "", 0, "", False
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if not indent and line.strip() and not fence and not ITEM.match(line):
            shift = 0
        bare = line.strip()
        if not fence and (item := ITEM.match(line)) and not item[1]:
            if before.strip() and (parts if before.startswith(" ") else not ITEM.match(before)):
                yield ""
            shift, parts = 4 - len(item[2]) - 1, False
        moved = " " * (shift if indent and line.strip() else 0) + line
        if bare.startswith("```"):
            fence = "" if fence else "```"
        elif not fence:
            moved = LINK.sub(lambda found: _link(found, path, name, pages), moved)
            if bare.startswith("|"):
                moved = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), moved)
        parts = parts or not bare
        yield moved
        before = line


def _link(found: re.Match[str], path: Path, name: str, pages: dict[Path, str]) -> str:
    """The link to where its target is on the site; its label alone if that is a file beside the pages."""
    label, target, anchor = found[1], found[2], found[3] or ""
    if label is None or "://" in target or target.startswith("mailto:") or not target:
        return found[0]
    there = Path(os.path.normpath(path.parent / target))
    if there in pages:
        goal = pages[there]
    elif there == ROOT / "docs" / "schemas":
        goal = "schemas/index.md"
    elif there.is_file() and there.suffix in (".png", ".json") and there.is_relative_to(ROOT / "docs"):
        goal = there.relative_to(ROOT / "docs").as_posix()
    else:
        return label if there.exists() else found[0]
    return f"[{label}]({os.path.relpath(goal, Path(name).parent).replace(os.sep, '/')}{anchor})"


def _schemas(folder: Path) -> str:
    rows = []
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        says = str(schema.get("description", "")).split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        rows.append(f"| [{path.stem}]({path.name}) | {says} |")
    head = "# JSON schemas\n\nThe shapes of `--json`, the [HTTP API](../http.md) and [MCP](../mcp.md). "
    return (
        head
        + "For example, `docgraph schema plan` prints that of a plan.\n\n| schema | describes |\n|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def _api() -> Iterator[tuple[str, str]]:
    """Name and text of each page of the reference: all public names, by the modules that define them."""
    tree = ast.parse((ROOT / "docgraph" / "__init__.py").read_text(encoding="utf-8"))
    assigned = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    homes: dict[str, str] = ast.literal_eval(assigned["_HOMES"])
    last = list(API)[-1]
    listed = {name for names in API.values() for name in names}
    for title, names in API.items():
        rest = tuple(sorted({*homes} - listed)) if title == last else ()
        text = f"# {title.capitalize() if title != 'docgraph' else title}\n\n"
        text += "Public names of `docgraph`, from their docstrings; [Python API](../python-api.md) has examples.\n"
        for name in (*names, *rest):
            text += f"\n::: {homes[name]}.{name}\n    options:\n      heading: docgraph.{name}\n"
            text += f"      toc_label: {name}\n"
        yield title, text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(path: Path, there: Path) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, there)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
