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
        one, many = _SENTENCES[self.proposal]
        return (one if self.n == 1 else many).format(n=f"{self.n:,}")


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
    "sidecars": (
        "{n} sidecar was read as front matter of the document beside it",
        "{n} sidecars were read as front matter of the documents beside them",
    ),
    "folders": ("{n} document is called by its folder", "{n} documents are called by their folder"),
    "base": ("{n} target is a web address of this folder", "{n} targets are web addresses of this folder"),
    "root": ("{n} target starts with a root prefix", "{n} targets start with a root prefix"),
    "numbers": ("{n} target was found by its number", "{n} targets were found by their number"),
    "empty": (
        "{n} target says nothing (n/a, none …): read as empty",
        "{n} targets say nothing (n/a, none …): read as empty",
    ),
    "boilerplate": (
        "{n} link goes to a boilerplate target: counted, no relationship",
        "{n} links go to boilerplate targets: counted, no relationship",
    ),
    "citations": (
        "{n} citation [[1]](address) was read as a link",
        "{n} citations [[1]](address) were read as links",
    ),
    "stubs": ("{n} document is marked as a stub", "{n} documents are marked as stubs"),
    "templates": ("{n} file is a template and was left out", "{n} files are templates and were left out"),
}
