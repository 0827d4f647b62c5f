"""StrictDoc: requirements in ``.sdoc`` files, each a node of its document, with the relations that they state."""

from __future__ import annotations

from docgraph.ports import Dialect


class StrictDoc(Dialect):
    """Every ``.sdoc`` file that begins with a document."""

    name = "strictdoc"
    title = "StrictDoc"
    suffixes = (".sdoc",)

    def marks(self, text: str, source: str) -> bool:
        """Whether the file begins as StrictDoc's files do."""
        return text.lstrip().startswith("[DOCUMENT]")


def build() -> StrictDoc:
    """The dialect; it has no options."""
    return StrictDoc()
