"""How much two runs have in common, by every measure there is, over their chunks and over their documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from docgraph.domain.comparison import Figure
from docgraph.domain.run import Run
from docgraph.ports import Measure

CONTINUED = "one list only continues the other"
"""Why an extrapolated overlap can be 1 although something was added."""


def figures(a: Run, b: Run, measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """One figure per measure over chunks and one over documents, in the measures' order.

    Both lists stand as they are read: documents in plan order, chunks under them by score. (By score alone the order of
    common chunks is the same on both sides by law, because relationships change no score.)
    """
    return (
        *_over("chunks", _chunks(a), _chunks(b), measures=measures),
        *_over("documents", _ids(a), _ids(b), measures=measures),
    )


def document_figures(a: Sequence[str], b: Sequence[str], measures: Sequence[Measure]) -> tuple[Figure, ...]:
    """One figure per measure over two lists of documents as they are read, in the measures' order."""
    return tuple(_over("documents", a, b, measures=measures))


def _over(
    of: Literal["chunks", "documents"], a: Sequence[str], b: Sequence[str], *, measures: Sequence[Measure]
) -> Iterator[Figure]:
    for measure in measures:
        value, n, note = _value(measure, a, b)
        yield Figure(
            name=measure.name,
            title=measure.title,
            of=of,
            value=value,
            n=n,
            note=note,
            formula=measure.formula,
            source=measure.source,
        )


def _value(measure: Measure, a: Sequence[str], b: Sequence[str]) -> tuple[float | None, int, str]:
    if not a and not b:
        return None, 0, "both empty"
    if measure.kind == "overlap":
        value = measure.compute(a, b)
        return value, len({*a, *b}), CONTINUED if value == 1 and len(a) != len(b) else ""
    common = set(a) & set(b)
    if len(common) < 2:
        return None, len(common), f"needs 2 in common, there {'is' if len(common) == 1 else 'are'} {len(common)}"
    value = measure.compute([i for i in a if i in common], [i for i in b if i in common])
    return value, len(common), "" if value is not None else "undefined"


def _chunks(run: Run) -> list[str]:
    pairs = ((d.document.document_id, chunk.chunk_id) for d in run.context.documents for chunk in d.chunks)
    return [f"{document_id}\n{chunk_id}" for document_id, chunk_id in pairs]


def _ids(run: Run) -> list[str]:
    return list(run.plan.document_ids)
