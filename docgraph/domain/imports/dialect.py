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
    def sentence(self) -> str:
        """``Docusaurus: 448 .mdx pages, 1,475 links``."""
        pages = f"{self.n_pages:,} {f'{self.suffix} ' if self.suffix else ''}page{'s' if self.n_pages != 1 else ''}"
        links = "" if self.n_links is None else f", {self.n_links:,} link{'s' if self.n_links != 1 else ''}"
        return f"{self.title}: {pages}{links}"
