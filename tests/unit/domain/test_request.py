"""A request's own description says the numbers that plans are made with."""

from __future__ import annotations

import re

from docgraph.domain.request import MODES, RetrievalRequest


def test_the_description_of_a_request_says_what_the_modes_decide() -> None:
    said = " ".join((RetrievalRequest.__doc__ or "").split())
    for name, mode in MODES.items():
        numbers = re.search(rf"\*{name}\* = (\d+) documents, (\d+) %[^,]*, (\d+) expanding", said)
        assert numbers is not None, name
        documents, share, expanding = map(int, numbers.groups())
        assert (documents, share / 100, expanding) == (
            mode.max_documents,
            mode.related_share,
            mode.max_expanding_seeds,
        )
