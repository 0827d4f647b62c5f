"""In what way a folder is written, as it was recognised: by which tool, on how many pages, with how many links."""

from __future__ import annotations

from docgraph.domain.frozen import Frozen


class Written(Frozen):
    """One dialect of a folder: ``n_pages`` of it are written so, and lead to ``n_links`` other documents of it.

    ``suffix`` is that of its pages, where all have the same and it is the dialect's own. ``n_links`` is None where
    they were not counted.
    """

    name: str
    title: str
    n_pages: int
    n_links: int | None = None
    suffix: str = ""

    @property
    def pages(self) -> str:
        """``448 .mdx pages``."""
        suffix = f"{self.suffix} " if self.suffix else ""
        return f"{self.n_pages:,} {suffix}page{'s' if self.n_pages != 1 else ''}"

    @property
    def links(self) -> str:
        """``1,475 links``; empty where they were not counted."""
        return "" if self.n_links is None else f"{self.n_links:,} link{'s' if self.n_links != 1 else ''}"

    @property
    def sentence(self) -> str:
        """``Docusaurus: 448 .mdx pages, 1,475 links``."""
        return f"{self.title}: {', '.join(part for part in (self.pages, self.links) if part)}"
