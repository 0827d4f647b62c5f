"""What was found when a folder was looked at: proposals, each a part of a profile, with counts and examples."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.imports.profile import ImportProfile, Written

ProposalId = Literal[
    "sidecars", "folders", "base", "root", "numbers", "empty", "boilerplate", "citations", "stubs", "templates"
]
PARTS: dict[ProposalId, tuple[str, ...]] = {
    "sidecars": ("sidecars",),
    "folders": ("one_per", "page"),
    "base": ("base", "outside"),
    "root": ("root",),
    "numbers": ("numbers",),
    "empty": ("empty",),
    "boilerplate": ("boilerplate",),
    "citations": ("citations",),
    "stubs": ("stub_values", "stub_below"),
    "templates": ("skip",),
}
"""Proposal → fields of the profile that it sets, in the order in which proposals are told."""
MAX_EXAMPLES = 200


class Example(Frozen):
    """One place that a proposal is about: the file, and what stands there."""

    source: str
    text: str


class Proposal(Frozen):
    """One line of a profile: ``title``, a ``sentence`` with its counts, ``n`` of ``unit`` that it is about, examples.

    ``examples`` are the first ``MAX_EXAMPLES``. ``adds`` = relationships between documents of the folder that all
    proposals together give and the others without this one do not; None where that was not counted.
    """

    id: ProposalId
    title: str
    sentence: str
    n: int
    unit: str
    adds: int | None = None
    examples: tuple[Example, ...] = Field(default=(), max_length=MAX_EXAMPLES)


class Unread(Frozen):
    """Files or headers that are not read, by cause; ``places`` are the first of them.

    ``beside`` counts those that lie beside a document under a name that many of them have: metadata, most likely.
    """

    n: int
    cause: str
    places: tuple[str, ...] = ()
    beside: int = 0


class Look(Frozen):
    """A preview of a folder, with nothing stored: its content, and the profile that is proposed for it.

    ``n_looked`` of its ``n_documents`` texts were read, each up to a bound; ``unread`` is in order of rarity.
    ``languages``: language → documents whose path says so. ``n_added`` = relationships between documents of the folder
    that all proposals give beyond the unchanged files; None where that was not counted. ``dialects`` = how the folder
    is written, as it was recognised; every import reads it so. ``n_links`` = pairs of documents of which one leads to
    the other, mentions aside; None where no dialect was recognised, or they were not counted.
    """

    name: str
    n_files: int = 0
    n_documents: int = 0
    n_looked: int = 0
    n_bytes: int = 0
    seconds: float = 0.0
    n_added: int | None = None
    profile: ImportProfile = Field(default_factory=ImportProfile)
    proposals: tuple[Proposal, ...] = ()
    unread: tuple[Unread, ...] = ()
    languages: dict[str, int] = Field(default_factory=dict)
    dialects: tuple[Written, ...] = ()
    n_links: int | None = None

    def n_taken(self, chosen: Collection[str]) -> int:
        """Documents that an import with the ``chosen`` proposals takes: those that are templates only without it."""
        left_out = sum(each.n for each in self.proposals if each.id == "templates" and each.id in chosen)
        return max(self.n_documents - left_out, 0)

    def profile_of(self, chosen: Collection[str]) -> ImportProfile:
        """The profile with the parts of the ``chosen`` proposals only."""
        kept = {field for part, fields in PARTS.items() if part in chosen for field in fields}
        values = {name: getattr(self.profile, name) for name in kept}
        return ImportProfile(**values)
