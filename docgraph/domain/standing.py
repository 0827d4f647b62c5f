"""Whether a document still holds: what replaced it, and what its own status says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import DocumentRef, Relationship, StoredDocument

INACTIVE = (
    "superseded",
    "deprecated",
    "inactive",
    "obsolete",
    "obsoleted",
    "rejected",
    "replaced",
    "retired",
    "withdrawn",
)
"""Words of a status under which a document does not hold any more, for the checks too."""
ENDED = (*INACTIVE, "abandoned", "cancelled", "canceled", "declined", "deferred", "expired", "revoked", "stagnant")
"""Words of a status under which a document does not hold, or never came to hold."""
OLD_TO_NEW = ("superseded_by", "replaced_by", "obsoleted_by")
"""Types that lead from what was replaced to what replaced it; written with a hyphen or a space as well."""
NEW_TO_OLD = ("supersedes", "replaces", "obsoletes")
"""Types that lead from what replaces to what it replaced."""
UNTIL = ("valid_until", "valid_to", "expires", "expires_on", "expiry_date")
"""Fields that say until when a document holds."""
MAX_SUCCESSORS, MAX_STATUS = 3, 80

_WORD = re.compile(r"[^\W\d_]+")
_BY = re.compile(r"\w+ by ([\w .#/-]{1,40})", re.IGNORECASE)
"""A status that names what replaced the document by a plain name, and nothing else."""


class Standing(Frozen):
    """What keeps a document from holding; a document that simply holds has none.

    ``successors`` replaced it, as relationships say (at most three; ``n_successors`` counts all). ``status`` = its own
    status where that says that it does not hold, on one line. ``until`` = the day or words after which it does not.
    """

    successors: tuple[DocumentRef, ...] = ()
    n_successors: int = Field(default=0, ge=0)
    status: str = ""
    until: str = ""

    @property
    def words(self) -> str:
        """``superseded by ADR-0002 Push; valid until 2024-05-01``: the same on every screen and in every text."""
        said = []
        if self.successors:
            said.append(f"superseded by {self._replaced_by}")
        elif self.status:
            said.append(self.status)
        if self.until:
            said.append(f"valid until {self.until}")
        return "; ".join(said)

    @property
    def _replaced_by(self) -> str:
        """Titles of what replaced it, behind the name that its own status uses where no title has it."""
        titles = ", ".join(ref.title or ref.document_id for ref in self.successors)
        more = self.n_successors - len(self.successors)
        titles += f" and {more} more" if more > 0 else ""
        named = _BY.fullmatch(self.status)
        return f"{named[1]} ({titles})" if named and named[1].casefold() not in titles.casefold() else titles

    @property
    def word(self) -> str:
        """``superseded``, ``rejected``, ``until 2024-05-01``: the same in a few pixels."""
        if self.successors:
            return "superseded"
        said = next((word for word in _WORD.findall(self.status.casefold()) if word in ENDED), "")
        return said or (f"until {self.until}" if self.until else "")


def spellings(types: Iterable[str]) -> tuple[str, ...]:
    """Relation types as they are written: with an underscore, a hyphen or a space, sorted."""
    return tuple(sorted({name.replace("_", mark) for name in types for mark in "_- "}))


def successors(outgoing: Iterable[Relationship], incoming: Iterable[Relationship]) -> dict[str, tuple[str, ...]]:
    """document_id → ids of what replaced it, sorted; of two that replace each other neither did."""
    pairs = {(e.from_document_id, e.to_document_id) for e in outgoing if e.relation_type in spellings(OLD_TO_NEW)}
    pairs |= {(e.to_document_id, e.from_document_id) for e in incoming if e.relation_type in spellings(NEW_TO_OLD)}
    found: dict[str, list[str]] = {}
    for old, new in sorted(pairs):
        if old != new and (new, old) not in pairs:
            found.setdefault(old, []).append(new)
    return {old: tuple(new) for old, new in found.items()}


def standing_of(document: StoredDocument, replaced_by: Iterable[DocumentRef]) -> Standing | None:
    """The standing of a document that ``replaced_by`` replaced; None where nothing speaks against it."""
    refs = tuple(replaced_by)
    status, until = _status(document.metadata), _until(document.metadata)
    if not (refs or status or until):
        return None
    return Standing(successors=refs[:MAX_SUCCESSORS], n_successors=len(refs), status=status, until=until)


def _status(metadata: Mapping[str, Any]) -> str:
    """The status on one line, where its first word says that the document does not hold."""
    for value in _values(metadata, ("status",)):
        word = _WORD.search(value)
        if word and word[0].casefold() in ENDED:
            return value[0].lower() + value[1:]
    return ""


def _until(metadata: Mapping[str, Any]) -> str:
    return next((value for value in _values(metadata, UNTIL)), "")


def _values(metadata: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """What fields of these names say, in the metadata and in the header in it, each on one line."""
    header = metadata.get("header")
    for fields in (metadata, header if isinstance(header, Mapping) else {}):
        for name, value in fields.items():
            if str(name).casefold().replace("-", "_").replace(" ", "_") not in names:
                continue
            printable = "".join(c if c.isprintable() else " " for c in str(value)[: 4 * MAX_STATUS])
            if isinstance(value, str | int | float) and (flat := " ".join(printable.split())):
                yield flat if len(flat) <= MAX_STATUS else flat[: MAX_STATUS - 1].rstrip() + "…"
