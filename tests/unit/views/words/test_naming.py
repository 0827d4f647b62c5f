"""A reason quotes the sentence that names its target, or says that only a header states it."""

from __future__ import annotations

from typing import Any

from docgraph.domain.graph import Relationship
from docgraph.views.plan.reasons import reason_line

EDGE = ("adr-011", "derived_from", "pm-2025-11")
NAMES = {"adr-011": "ADR-011 Bounded queue", "pm-2025-11": "Post-mortem 2025-11"}


def stored(via: str, **metadata: Any) -> dict[tuple[str, str, str], Relationship]:
    edge = Relationship(
        from_document_id=EDGE[0], relation_type=via, to_document_id=EDGE[2], relationship_metadata=metadata
    )
    return {edge.key: edge}


HEADER = stored("derived_from", extractor="front_matter", place="front_matter", text="derived_from: pm-2025-11")
MENTION = stored(
    "mentions", extractor="title_mentions", place="body", text="It held. *Post-mortem 2025-11* tells how. It is late."
)


def test_a_header_is_not_quoted_it_is_said_to_state_it() -> None:
    line = reason_line(EDGE, NAMES, HEADER)
    assert (line.text, line.found) == ("", "stated in the header")


def test_the_sentence_that_names_the_target_is_quoted_without_marks() -> None:
    line = reason_line(EDGE, NAMES, HEADER | MENTION)
    assert (line.text, line.found) == ("Post-mortem 2025-11 tells how.", "")
    own = stored("derived_from", extractor="markdown_links", place="body", text="See [the post-mortem](pm.md).")
    assert reason_line(EDGE, NAMES, own | MENTION).text == "See the post-mortem."


def test_an_edge_that_is_not_stored_any_more_says_nothing_of_itself() -> None:
    line = reason_line(EDGE, NAMES, {})
    assert (line.text, line.found) == ("", "")
