"""StrictDoc: requirements in ``.sdoc`` files, each a node of its document, with the relations that they state."""

from __future__ import annotations

from docgraph.ports import Dialect


class StrictDoc(Dialect):
    """Every ``.sdoc`` file."""

    name = "strictdoc"
    title = "StrictDoc"
    suffixes = (".sdoc",)

    def marks(self, text: str, source: str) -> bool:
        """Whether it is such a file: nothing else is called so."""
        return source.casefold().endswith(self.suffixes)


build = StrictDoc
