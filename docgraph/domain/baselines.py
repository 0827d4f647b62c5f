"""The baselines that a run is compared with, by name."""

from __future__ import annotations

from typing import Any

from docgraph.domain.request import RetrievalRequest

MS3, MS3_GROUPED, TODAY = "ms3", "ms3_grouped", "today"

EDITED = "edited"
"""The name of the side that reads the data as edits would make them."""

BASELINES: dict[str, tuple[str, str]] = {
    MS3: ("MS3", "flat chunk search: relationships off, the best chunks of the whole workspace"),
    MS3_GROUPED: ("MS3 grouped", "relationships off, the same limits and one chunk a document: the honest control"),
    TODAY: ("Today", "the same request on today's data"),
}
"""Name → (label, what it is). Every other baseline is the id of a saved run."""

_FIELDS: dict[str, dict[str, Any]] = {
    MS3: {"use_relationships": False, "evidence_rule": None},
    MS3_GROUPED: {"use_relationships": False, "evidence_rule": "one_per_document"},
    TODAY: {},
}


def baseline_request(request: RetrievalRequest, name: str) -> RetrievalRequest:
    """The request of a named baseline: ``request`` with nothing changed but what makes it that baseline.

    Seeds that the request names, adds or drops stay so: the difference is that of the relationships alone.
    Raises KeyError for a name that is not in ``BASELINES``.
    """
    return request.model_copy(update=_FIELDS[name])


def label_of(request: RetrievalRequest) -> str:
    """What a run of this request is called beside others: ``MS5``, ``MS3 grouped`` or ``MS3``."""
    if request.use_relationships:
        return "MS5"
    return BASELINES[MS3_GROUPED if request.evidence_rule == "one_per_document" else MS3][0]
