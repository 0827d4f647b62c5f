"""What an import read otherwise than the files say by themselves, and what became of each name in them."""

from __future__ import annotations

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.imports.look import ProposalId


class Read(Frozen):
    """One line of a profile and how often it was used."""

    proposal: ProposalId
    n: int

    @property
    def sentence(self) -> str:
        """The line in words."""
        return _SENTENCES[self.proposal].format(n=f"{self.n:,}")


class Reading(Frozen):
    """What a profile changed: its ``lines``, and what became of names in metadata (``declared``) and ``links``.

    Both map an outcome (stored, itself, empty, web page, outside the folder, no document, boilerplate, no such page,
    unresolved template, not found) to how many names had it. ``missing`` are the first names that were not found, each
    behind its source. Without a profile only unresolved templates are told.
    """

    lines: tuple[Read, ...] = ()
    declared: dict[str, int] = Field(default_factory=dict)
    links: dict[str, int] = Field(default_factory=dict)
    missing: tuple[str, ...] = ()


_SENTENCES = {
    "sidecars": "{n} sidecars were read as front matter of the documents beside them",
    "folders": "{n} documents are called by their folder",
    "base": "{n} targets are web addresses of this folder",
    "root": "{n} targets start with a root prefix",
    "numbers": "{n} targets were found by their number",
    "empty": "{n} targets say nothing (n/a, none …): read as empty",
    "boilerplate": "{n} links go to boilerplate targets: counted, no relationship",
    "citations": "{n} citations [[1]](address) were read as links",
    "stubs": "{n} documents are marked as stubs",
    "templates": "{n} files are templates and were left out",
}
