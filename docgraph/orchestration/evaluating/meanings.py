"""What the ids of a retriever mean here: documents whatever their case, chunks by number, or whole titles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docgraph.orchestration.document_ids import candidates
from docgraph.ports import Snapshot


@dataclass(frozen=True)
class Meaning:
    """The document that an id means; ``by_chunk``: it is that of one of its chunks."""

    document_id: str
    by_chunk: bool = False


def meanings(identifiers: Iterable[str], snapshot: Snapshot) -> dict[str, Meaning | None]:
    """Each id once, in its order: by id, whatever its case, else as a chunk's ``document#number``, else by title.

    ``None`` = it names nothing, or several documents.
    """
    given = list(dict.fromkeys(identifiers))
    meant = candidates(snapshot, given)
    rest = [each for each in given if len(meant[each]) != 1]
    starts = {each: each.rpartition("#")[0] for each in rest}
    of_chunks = candidates(snapshot, (start for start in starts.values() if start))
    found: dict[str, Meaning | None] = {}
    for identifier in given:
        ids, chunks = meant[identifier], of_chunks.get(starts.get(identifier, ""), ())
        if len(ids) == 1:
            found[identifier] = Meaning(ids[0])
        elif len(chunks) == 1:
            found[identifier] = Meaning(chunks[0], by_chunk=True)
        else:
            titled = _titled(snapshot, identifier)
            found[identifier] = Meaning(titled[0]) if len(titled) == 1 else None
    return found


def _titled(snapshot: Snapshot, title: str) -> tuple[str, ...]:
    """The documents that have exactly this title."""
    return tuple(each.document_id for each in snapshot.documents(text=title) if each.title == title)
