"""Sphinx projects of a folder: where each has its ``conf.py``, and whose labels it may mean (intersphinx)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from docgraph.ports import SphinxProject

CONFIGURATION = "conf.py"
MAX_CONFIGURATION = 400_000
MAX_PROJECTS = 200
_MAPPING = re.compile(r"^[ \t]*intersphinx_mapping(?:\s*:[^=\n]{1,100})?\s*=\s*(?:dict\()?", re.MULTILINE)
_NAME = re.compile(
    r"[\"']([\w.+-]{1,60})[\"']\s{0,20}:\s{0,20}[(\[]|^\s{0,40}([A-Za-z_]\w{0,60})\s{0,5}=\s{0,5}\(", re.MULTILINE
)
_ADDRESS = re.compile(r"[\"'](https?://[^\"'\s]{1,300})[\"']", re.IGNORECASE)
_SPHINX = re.compile(r"^[ \t]*(?:extensions|project|master_doc|root_doc|html_theme|source_suffix)\s*=", re.MULTILINE)
_MAX_MAPPING = 20_000


def projects_in(files: Iterable[tuple[str, Callable[[], bytes]]]) -> Iterator[SphinxProject]:
    """The projects among files given by name, with what reads each; nothing of a ``conf.py`` is executed."""
    found = 0
    for name, read in files:
        folder, _, base = name.rpartition("/")
        if base != CONFIGURATION or found == MAX_PROJECTS:
            continue
        try:
            text = read()[:MAX_CONFIGURATION].decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        if _SPHINX.search(text):
            found += 1
            mapping = "\n".join(_mappings(text))
            names = dict.fromkeys(name[1] or name[2] for name in _NAME.finditer(mapping))
            yield SphinxProject(folder, tuple(names), tuple(dict.fromkeys(_ADDRESS.findall(mapping))))


def _mappings(text: str) -> Iterator[str]:
    """What stands in the project's mapping of others, as it is written."""
    for mapping in list(_MAPPING.finditer(text))[:5]:
        inside = text[mapping.end() : mapping.end() + _MAX_MAPPING]
        end = re.search(r"^[ \t]*[})][ \t]*(?:#.*)?$|\}[ \t]*$", inside, re.MULTILINE)
        yield inside[: end.end() if end else 2_000]
