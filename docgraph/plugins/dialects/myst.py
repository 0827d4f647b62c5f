"""MyST: the roles, tables of contents and labels of Sphinx in Markdown (Jupyter Book, Sphinx with myst-parser)."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_MARKED = re.compile(
    r"\{(?:doc|ref|any|term|numref|need|download|eq|cite|external:[\w:]{1,40})\}`|^\([^()\n]{1,300}\)=[ \t]*$"
    r"|^[ \t]*(?:`{3,}|:{3,})\{(?:toctree|glossary|eval-rst|tableofcontents)\}",
    re.MULTILINE,
)


class MyST(Dialect):
    """Pages with roles, directives or labels of MyST."""

    name = "myst"
    title = "MyST"
    signs = ("myst.yml",)
    suffixes = (".md", ".markdown")

    def marks(self, text: str, source: str) -> bool:
        """Whether a role, a label or a directive of MyST stands in the text."""
        return bool(_MARKED.search(text))


build = MyST
