"""Library › Health and Import: whose vectors there are, and the workspace embedded anew in the background."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.boundary.embedders import EmbedderChoice
from docgraph.domain.embedding import EmbeddingGain, Share
from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.embedders import KnownEmbedders
from docgraph.testing.builders import HashingEmbedder
from docgraph.ui.library import embedding
from tests.ui.conftest import SECONDS, Open, page_text, press

OTHER = EmbedderChoice("other", model="/models/better")
BEGIN, CONTINUE, ABANDON = (f"docgraph.library.embedding.{each}" for each in ("begin.0", "continue", "abandon"))


class Better(HashingEmbedder):
    """Waits until it may go on, and fails where it is told to."""

    def __init__(self) -> None:
        super().__init__(32)
        self.info = EmbedderInfo(name="other", model="better@12345678", dimension=32)
        self.may_go_on, self.fails = threading.Event(), False
        self.may_go_on.set()

    def embed(self, texts: Sequence[str]) -> Vectors:
        assert self.may_go_on.wait(SECONDS)
        if self.fails:
            raise EmbedderError("the model is gone", hint="put it back")
        return super().embed(texts)


@pytest.fixture
def better(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Better:
    """An embedder that the settings name, beside the configured one."""
    made = Better()
    known = KnownEmbedders(lambda _: made, [OTHER])
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, embedders=known))
    return made


def ended(at: AppTest) -> AppTest:
    """Wait for the job, then run the page again."""
    job = embedding._jobs().get("harbor")
    assert job is not None
    assert job.wait(SECONDS)
    at.run()
    assert not at.exception
    return at


@pytest.mark.parametrize("view", ["health", "embedder"])
def test_a_workspace_is_improved_by_one_click_and_says_what_it_gained(
    harbor: Docgraph, better: Better, open_page: Open, view: str
) -> None:
    at = open_page("library", tab=view)
    assert "hashing:sha256:64" in page_text(at)
    assert at.button(key=BEGIN).label == "Improve with better"
    better.may_go_on.clear()
    press(at, BEGIN)
    assert at.button(key="docgraph.library.embedding.pause").label == "Pause"
    assert harbor.plan("bounded queue").embedder_id == "hashing:sha256:64"
    better.may_go_on.set()
    at = ended(at)
    said = page_text(at)
    assert "Embedded anew with other:better@12345678:32, before that with hashing:sha256:64." in said
    assert harbor.plan("bounded queue").embedder_id == "other:better@12345678:32"
    assert at.button(key=BEGIN).label.startswith("Embed again with hashing")


def test_paused_it_says_how_far_it_is_and_is_gone_on_with(harbor: Docgraph, better: Better, open_page: Open) -> None:
    better.may_go_on.clear()
    at = press(open_page("library", show="Health"), BEGIN)
    at.button(key="docgraph.library.embedding.pause").click()
    job = embedding._jobs().get("harbor")
    assert job is not None
    job.stop()
    better.may_go_on.set()
    at = ended(at)
    assert "texts are embedded with other:better@12345678:32; until all are, hashing:sha256:64 answers." in page_text(
        at
    )
    assert at.button(key=CONTINUE).label == "Continue with better"
    at = ended(press(at, CONTINUE))
    assert harbor.workspace.embedder == better.info


def test_unfinished_vectors_are_thrown_away_by_one_click(harbor: Docgraph, better: Better, open_page: Open) -> None:
    harbor.session.store().begin_embedding(better.info, at="", by="Ann")
    at = open_page("library", show="Health")
    assert "Last worked on by Ann" in page_text(at)
    press(at, ABANDON)
    assert harbor.embedding.state() is None
    assert at.button(key=BEGIN).label == "Improve with better"


def test_what_goes_wrong_is_told_and_what_is_done_is_kept(harbor: Docgraph, better: Better, open_page: Open) -> None:
    better.fails = True
    at = ended(press(open_page("library", show="Health"), BEGIN))
    assert "The model is gone" in page_text(at)
    assert harbor.workspace.embedder.name == "hashing"
    better.fails = False
    ended(press(at, CONTINUE))
    assert harbor.workspace.embedder == better.info


def test_the_gain_stands_in_words(harbor: Docgraph, better: Better, open_page: Open) -> None:
    share = Share(before=52.0, after=71.0, better=24, worse=5)
    with harbor.session.store().embedding_turn("Ann"):
        harbor.session.store().begin_embedding(better.info, at="", by="Ann")
    gain = EmbeddingGain(n=100, documents=share, passages=share)
    harbor.session.store().note_embedding(gain=gain)
    harbor.embedding.embed_with(harbor.embedding.offers()[0], questions=0)
    said = page_text(open_page("library", show="Health"))
    assert (
        "Of 100 generated questions the passage is read for 71.0 %, before 52.0 % "
        "(+19.0 points; 24 better, 5 worse)." in said
    )


def test_who_may_not_write_sees_whose_vectors_there_are_and_no_button(
    harbor: Docgraph, better: Better, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding.resources, "may", lambda act: False)
    at = open_page("library", show="Health")
    assert "hashing:sha256:64" in page_text(at)
    assert not [button for button in at.button if str(button.key).startswith(embedding.KEY)]
