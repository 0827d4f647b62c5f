"""A workspace: one corpus with one embedder, beside other workspaces in the same database."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from docgraph.domain.frozen import Frozen
from docgraph.domain.type_roles import Decided, TypeDecision
from docgraph.errors import UserError

WORKSPACE_PATTERN = r"^[a-z][a-z0-9_-]{0,39}$"
MAX_WORKSPACE_NAME = 40
WorkspaceName = Annotated[str, StringConstraints(pattern=WORKSPACE_PATTERN)]
"""1–40 characters: a lower-case letter, then lower-case letters, digits, ``_`` or ``-``."""


def checked_workspace_name(name: str) -> str:
    """``name`` as it is. Raises UserError when no workspace can be called that."""
    if not re.fullmatch(WORKSPACE_PATTERN, name):
        raise UserError(
            f"no workspace can be called {name[:60]!r}",
            hint="1–40 characters: a lower-case letter, then lower-case letters, digits, _ or -",
        )
    return name


def workspace_name_of(title: str, taken: Collection[str] = ()) -> str:
    """The name that a title gives, and none of ``taken``: ``My Bakery`` → ``my-bakery``, else ``my-bakery-2``.

    Letters of other scripts have no place in a name; a title without any other gives ``workspace``.
    """
    spelled = title.replace("ß", "ss").replace("æ", "ae").replace("ø", "o").replace("Æ", "ae").replace("Ø", "o")
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    base = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if not base or not base[0].isalpha():
        base = f"workspace-{base}".strip("-")
    for n in range(1, len(taken) + 2):
        end = "" if n == 1 else f"-{n}"
        name = base[: MAX_WORKSPACE_NAME - len(end)].rstrip("-") + end
        if name not in taken:
            return name
    raise AssertionError("one of n + 1 names is none of n")


Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
"""32 hex digits."""
VectorSearch = Literal["exact", "quantized", "hnsw"]
"""How similar chunks are found: all vectors are compared, or those of candidates, which three bits a number have chosen
(``quantized``: equal data, equal candidates) or an approximate index (``hnsw``: a rebuilt one may choose others)."""


SearchMode = Literal["auto", "exact", "quantized", "hnsw"]
"""What somebody can ask for: a vector search, or ``auto`` = measure now and choose by that."""


class SearchChoice(Frozen):
    """Who chose how a workspace is searched, and by what: nothing ever switches by itself.

    ``auto`` = docgraph did when it was asked to measure, or nobody ever said anything (then it is exact). ``exact_ms``
    = the median time of an exact ranking that was measured then, with ``n_chunks`` chunks; ``budget_ms`` = how much it
    may be. Nothing of this moves a plan.
    """

    by: Literal["auto", "user"] = "auto"
    exact_ms: float | None = None
    n_chunks: int | None = None
    budget_ms: float | None = None

    def expected_ms(self, n_chunks: int) -> float | None:
        """What an exact ranking would take with so many chunks: it grows with them."""
        return None if self.exact_ms is None or not self.n_chunks else self.exact_ms * n_chunks / self.n_chunks


NOBODY = SearchChoice()
"""Nobody said how a workspace is searched."""
BY_USER = SearchChoice(by="user")
"""Somebody said how."""


class EmbedderInfo(Frozen):
    """Names the embedder that made a workspace's vectors; vectors of different embedders are never compared."""

    name: str = Field(min_length=1)
    model: str = ""
    dimension: int = Field(ge=1, le=16_000)

    @property
    def embedder_id(self) -> str:
        """``name:model:dimension``, as plans carry it."""
        return f"{self.name}:{self.model}:{self.dimension}"

    @classmethod
    def of_id(cls, embedder_id: str) -> EmbedderInfo:
        """The embedder that an id names. Raises ValueError for what is none."""
        name, _, rest = embedder_id.partition(":")
        model, _, dimension = rest.rpartition(":")
        return cls(name=name, model=model, dimension=int(dimension))


class Workspace(Frozen):
    """A workspace's name, embedder, revision and counts.

    ``revision`` (hex) depends on the content alone: equal documents and relationships give an equal revision,
    whatever the order in which they came in and the place they came from. ``places`` (hex) is another one when only
    that changed; a store that tells no places has none. ``content_revision`` (hex) is that of the documents alone, with
    their vectors and without their places: while it stays, every ranking stays, whatever happens to relationships
    (empty: the store does not tell). ``off_relation_types`` are types that plans leave out unless a request names
    them (relationships that were only found in running text); ``type_decisions`` = what is stored of types and their
    roles, by type: those of ``reasons_only`` move the revision as well. ``vector_search`` is no content: it moves
    ``state``, not ``revision``; ``search_choice`` says how it came about and moves neither. ``made_with`` = the id of
    the embedder that the workspace was made with, where it was embedded anew since: imports know by it what is stored.
    """

    name: WorkspaceName
    title: str = ""
    embedder: EmbedderInfo
    revision: str
    places: str = ""
    content_revision: str = ""
    off_relation_types: tuple[str, ...] = ()
    type_decisions: tuple[TypeDecision, ...] = ()
    n_documents: int = 0
    n_relationships: int = 0
    n_chunks: int = 0
    vector_search: VectorSearch = "exact"
    search_choice: SearchChoice = NOBODY
    made_with: str = ""

    @property
    def first_embedder(self) -> EmbedderInfo:
        """The embedder by whose id the hashes of imports are made: the first one, whatever embeds today."""
        return EmbedderInfo.of_id(self.made_with) if self.made_with else self.embedder

    @property
    def decided(self) -> Decided:
        """What is decided about relation types."""
        return Decided(self.off_relation_types, self.type_decisions)

    @property
    def state(self) -> str:
        """Another text whenever what is stored, or how it is searched, is another: so long, what was read holds."""
        return (
            self.revision
            + self.places
            + self.content_revision
            + ("" if self.vector_search == "exact" else self.vector_search)
        )
