"""What an import does in threads of its own belongs to the request that began it."""

from __future__ import annotations

from docgraph.boundary.logs import one_request, request_id
from docgraph.ingestion.overlapping import overlapped


def test_batches_are_prepared_and_written_in_the_request_that_began_them() -> None:
    """The audit's lines of imports had no request, and neither had their connections at the database."""
    with one_request() as request:
        found = list(overlapped([1, 2, 3], lambda _: request_id(), lambda prepared: (prepared, request_id())))
    assert [said for _, said in found] == [(request, request)] * 3
