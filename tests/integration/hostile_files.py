"""Reads small files that ask for much, in a process of its own whose memory is bounded; prints what became of each."""

from __future__ import annotations

import itertools
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docgraph import plugins
from docgraph.boundary.rules_toml import read_rules
from docgraph.curation.exchange.records import Unreadable, records_of
from docgraph.domain.graph import Document
from docgraph.domain.plan import parse_plan
from docgraph.domain.report import Adjusted, Rejected
from docgraph.plugins.extractors._markdown_links import links_in

MEMORY = 320_000_000
"""Bytes that one file may take beside what the process had before: 64 kB of TOML asked for 3,900 MB."""
CALLS = 25_000_000
"""Calls of functions that reading one file may make; a page of 375 kB of links in links made hundreds of millions."""

TEXT = "The quick brown fox jumps over the lazy dog, number seven.\n"
LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in itertools.pairwise("abcdefghi")
)


def _toml(block: str) -> str:
    return f"+++\n{block}\n+++\n# T\n"


def _yaml(block: str) -> str:
    return f"---\n{block}\n---\n# T\n"


def _record(field: str) -> str:
    return f'{{"id": "a", "text": "t", "m": {field}}}\n'


FILES: dict[str, Callable[[], str]] = {
    "dotted_key.md": lambda: _toml(".".join("a" * 31_900) + " = 1"),
    "dotted_table.md": lambda: _toml(f"[{'.'.join('a' * 31_900)}]"),
    "dotted_in_inline_table.md": lambda: _toml('a = ["""b""""", {' + " . ".join("a" * 15_000) + " = 1}]"),
    "quoted_dotted_key.md": lambda: _toml(".".join(["'a'"] * 15_900) + " = 1"),
    "arrays.md": lambda: _toml("a = " + "[" * 31_000 + "]" * 31_000),
    "inline_tables.md": lambda: _toml("a = " + "{a=" * 15_000 + "1" + "}" * 15_000),
    "flow.md": lambda: _yaml("a: " + "[" * 31_000 + "]" * 31_000),
    "laughs.md": lambda: _yaml(LAUGHS),
    "quotes.md": lambda: "> " * 99_000 + "a\n",
    "lists.md": lambda: "".join(f"{' ' * (2 * level)}- a\n" for level in range(900)),
    "brackets.md": lambda: ("[" * 90 + "a" + "]" * 90 + "\n") * 10_000,
    "long_line.md": lambda: "word " * 198_000,
    "large.md": lambda: "# T\n\n" + TEXT * 320_000,
    "large.rst": lambda: "T\n=\n\n" + TEXT * 320_000,
    "long_header.rst": lambda: "PEP: 1\nTitle: " + "x " * 400_000 + "\n\nText.\n",
    "deep.html": lambda: "<div>" * 55_000 + "a",
    "links_in_links.html": lambda: "<a href=x><div>" * 25_000 + "a",
    "attributes.html": lambda: f"<p {' '.join(f'a{n}=1' for n in range(900_000))}>a</p>",
    "deep.jsonl": lambda: _record("[" * 100_000),
    "wide.jsonl": lambda: _record("[" + "[]," * 3_000_000 + "[]]"),
    "keys.jsonl": lambda: _record("{" + ",".join(f'"k{n}":""' for n in range(700_000)) + "}"),
    "long.jsonl": lambda: _record('"' + "x" * 10_000_000 + '"'),
    "dotted_key.toml": lambda: ".".join("a" * 31_900) + " = 1",
    "objects.plan": lambda: '{"seed_documents": [' + ",".join(["{}"] * 600_000) + "]}",
    "deep.plan": lambda: "[" * 1_900_000,
    "columns.csv": lambda: "from,type,to" + ",x" * 20_000_000,
    "cells.csv": lambda: "from,type,to\na,b,c" + ',"\n"' * 12_000_000,
    "wide_export.jsonl": lambda: '{"kind": "history", "a": [' + "[]," * 3_000_000 + "[]]}",
}
LOADERS = {".md": "markdown", ".rst": "restructuredtext", ".html": "html", ".jsonl": "jsonl"}


def _read(name: str, data: bytes) -> str:
    """What reading gave: ``read``, or the reason for which the file or its record was refused."""
    suffix = Path(name).suffix
    if suffix == ".toml":
        read_rules(data)
    elif suffix == ".plan":
        parse_plan(data)
    elif suffix == ".csv" or "export" in name:
        list(records_of(data))
    else:
        for item in plugins.build("loaders", LOADERS[suffix]).load(data, source=name):
            if isinstance(item, Rejected | Adjusted):
                return item.reason
            assert isinstance(item, Document)
            links_in(item.text)
    return "read"


def _outcome(name: str, data: bytes) -> dict[str, Any]:
    n_calls = 0

    def count(*_: Any) -> None:
        nonlocal n_calls
        n_calls += 1
        if n_calls > CALLS:
            raise TimeoutError(f"more than {CALLS:,} calls")

    sys.setprofile(count)
    try:
        said = _read(name, data)
    except Unreadable as error:
        said = str(error)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
    return {"name": name, "said": said, "calls": n_calls}


def main() -> None:
    """One line of JSON a file."""
    for name in dict.fromkeys(LOADERS.values()):
        plugins.build("loaders", name)  # what a format imports is no part of what a file takes
    for name, make in FILES.items():
        data = make().encode()
        in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (in_use + MEMORY, resource.RLIM_INFINITY))
        outcome = _outcome(name, data)
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
