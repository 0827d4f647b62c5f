"""What is said of codes in memory: held or not, how much, and of which state."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.views.words.searching import codes_words

HERE = Workspace(
    name="w",
    embedder=EmbedderInfo(name="example", model="x", dimension=8),
    revision="r",
    content_revision="0123456789abcdef",
    vector_search="quantized",
)
HELD: dict[str, Any] = {"workspace": "w", "content_revision": "0123456789abcdef", "megabytes": 138.4, "seconds": 4.2}


@pytest.mark.parametrize(
    ("codes", "workspace", "said"),
    [
        (None, HERE, "not cached here: the server compares the codes"),
        ([], HERE, "not cached yet (of at most 256 MB): loaded after the first questions, if it fits"),
        ([HELD], HERE, "cached: 138.4 MB of at most 256 MB, read in 4.2 s; content revision 0123456789ab"),
        (
            [HELD | {"content_revision": "fedcba9876543210"}],
            HERE,
            "cached: 138.4 MB of at most 256 MB, read in 4.2 s; content revision fedcba987654, outdated: the "
            "server answers until it is reloaded",
        ),
        (
            [HELD | {"workspace": "v"}],
            HERE.model_copy(update={"vector_search": "exact"}),
            "not cached: only two-stage search needs it (of at most 256 MB)",
        ),
    ],
)
def test_codes_are_named_with_their_memory_and_their_state(
    codes: list[dict[str, Any]] | None, workspace: Workspace, said: str
) -> None:
    told = None if codes is None else {"most_megabytes": 256, "held": codes}
    assert codes_words(told, workspace) == said
