"""The baselines that a run is compared with, by name."""

from __future__ import annotations

from docgraph.domain.request import RetrievalRequest

MS3, PLAIN, LITERAL, TODAY = "ms3", "plain", "literal", "today"

MS5_LABEL = "MS5"
"""What a run with relationships is called beside others."""

EDITED = "edited"
"""The name of the side that reads the data as edits would make them."""

BASELINES: dict[str, tuple[str, str]] = {
    MS3: ("MS3", "without relationships: the same request, signal and limits with relationships off"),
    PLAIN: ("Plain vector search", "the most similar chunks of the whole workspace: no planning, no document limit"),
    LITERAL: ("Literal", "the seed documents word for word: every seed expands, nothing is reserved"),
    TODAY: ("Today", "the same request on today's data"),
}
"""Name → (label, what it is). Every other baseline is the id of a saved run."""

SAVED_BASELINES = (MS3, PLAIN)
"""The baselines that are kept beside a saved run, so that its comparisons stay what they are."""


def baseline_request(request: RetrievalRequest, name: str) -> RetrievalRequest:
    """The request of a named baseline. Raises KeyError for a name that is not in ``BASELINES``.

    ``ms3`` is ``request`` with relationships off and nothing else changed, so what a comparison with it shows is owed
    to relationships alone. ``plain`` keeps the question and the number of chunks; ``literal`` also what the request
    says of types, seeds and what-ifs.
    """
    if name not in BASELINES:
        raise KeyError(name)
    if name == TODAY:
        return request
    if name == MS3:
        return request.model_copy(update={"use_relationships": False})
    flat = RetrievalRequest(
        query=request.query,
        preset="literal",
        mode=request.mode,
        max_chunks=request.max_chunks,
        token_budget=request.token_budget,
        use_relationships=name == LITERAL,
    )
    if name == PLAIN:
        return flat
    said = ("relation_types", "seed_document_ids", "overrides")
    return flat.model_copy(update={field: getattr(request, field) for field in said})


def label_of(request: RetrievalRequest) -> str:
    """What a run of this request is called beside others: ``MS5``, ``MS3``, ``Literal`` or ``Plain vector search``."""
    if request.preset == "literal":
        return BASELINES[LITERAL if request.use_relationships else PLAIN][0]
    return MS5_LABEL if request.use_relationships else BASELINES[MS3][0]
