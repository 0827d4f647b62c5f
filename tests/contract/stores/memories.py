"""Rules for conversation memory and calibrations: bounded, ordered by what is stored, beside the documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import Vector
from docgraph.domain.memory import Memory, MemoryHit, Remembered
from docgraph.domain.packet import Calibration
from docgraph.errors import EmbeddingMismatchError
from docgraph.ports import Database, Probe, Store
from tests.contract.stores.examples import DIMENSION, EMBEDDER, example_document, example_vector
from tests.contract.stores.reading import ALONG, near, towards
from tests.contract.stores.words import HOSTILE_QUESTIONS
from tests.contract.stores.writing import workspace_of

AT = "2026-03-01T00:00:00+00:00"


def said(text: str, conversation_id: str = "c", **fields: Any) -> Memory:
    """A memory whose id is its text's beginning."""
    made = {"memory_id": text[:50], "role": "user", "at": AT}
    return Memory(text=text, conversation_id=conversation_id, **{**made, **fields})


def keep(
    store: Store,
    memories: Sequence[Memory],
    vectors: Sequence[Vector] | None = None,
    *,
    per_conversation: int = 99,
    in_workspace: int = 99,
) -> Remembered:
    """Remember; vectors follow from the texts unless they are given."""
    rows = [example_vector(memory.text) for memory in memories] if vectors is None else vectors
    stacked = np.array(rows, dtype=np.float32).reshape(len(memories), DIMENSION)
    return store.remember(memories, stacked, per_conversation=per_conversation, in_workspace=in_workspace)


def recalled(store: Store, text: str, *, limit: int = 9, **where: Any) -> tuple[MemoryHit, ...]:
    """What a question in the direction of the first axis finds."""
    return store.recall(Probe(ALONG, text), limit=limit, **where)


def texts(memories: Sequence[Memory]) -> list[str]:
    """Their texts in the order given."""
    return [memory.text for memory in memories]


class MemoryRules:
    """See ``testing.suites.stores``."""

    def test_memories_are_kept_with_everything_they_say_newest_first(self, store: Store) -> None:
        """Turns count from 1 in the workspace; no revision moves."""
        before = workspace_of(store)
        first = said("one", metadata={"n": [1.5, None, {"z": "é", "a": True}]}, role="assistant")
        made = keep(store, [first, said("two", "other")])
        assert [(m.text, m.turn) for m in made.memories] == [("one", 1), ("two", 2)]
        assert (made.memories[0], made.n_dropped) == (first.model_copy(update={"turn": 1}), 0)
        keep(store, [said("three")])
        assert texts(store.memories()) == ["three", "two", "one"]
        assert store.memories()[2] == made.memories[0]
        assert texts(store.memories(conversation_id="c")) == ["three", "one"]
        assert texts(store.memories(limit=1)) == ["three"]
        assert texts(store.memories(before=3, limit=1)) == ["two"]
        assert store.memories(conversation_id="nobody's") == ()
        assert workspace_of(store) == before

    def test_a_memory_that_is_said_again_is_the_newest_and_there_once(self, store: Store) -> None:
        """Also from another conversation, and twice in one call."""
        keep(store, [said("one"), said("two")])
        again = keep(
            store, [said("one", "other", metadata={"n": 2}), said("x", memory_id="y"), said("z", memory_id="y")]
        )
        assert [(m.text, m.turn) for m in again.memories] == [("one", 3), ("z", 4)]
        assert [(m.text, m.conversation_id) for m in store.memories()] == [("z", "c"), ("one", "other"), ("two", "c")]

    def test_the_oldest_make_room_and_are_counted(self, store: Store) -> None:
        """In a conversation, then in the workspace."""
        keep(store, [said(f"a{n}", "a") for n in range(4)], per_conversation=4)
        keep(store, [said("b0", "b")], per_conversation=4)
        made = keep(store, [said("a4", "a"), said("a5", "a")], per_conversation=4)
        assert made.n_dropped == 2
        assert texts(store.memories()) == ["a5", "a4", "b0", "a3", "a2"]
        assert keep(store, [said("c0")], in_workspace=3).n_dropped == 3
        assert texts(store.memories()) == ["c0", "a5", "a4"]
        many = keep(store, [said(f"d{n}", "d") for n in range(5)], per_conversation=2)
        assert (texts(many.memories), many.n_dropped) == (["d3", "d4"], 3)

    def test_memories_are_recalled_by_similarity_words_and_recency(self, store: Store) -> None:
        """½ / (60 + place in time) and 1 / (60 + place) for the others, summed; scores are the store's own."""
        rows = [towards(0.2), towards(0.9), towards(0.5), towards(-0.4)]
        keep(store, [said("the zebra"), said("a lion"), said("water"), said("nothing")], rows)
        hits = recalled(store, "zebra")
        assert [(h.memory.text, h.score) for h in hits] == [
            ("the zebra", near(0.2)),
            ("a lion", near(0.9)),
            ("water", near(0.5)),
        ]
        fused = {h.memory.text: h.fused for h in hits}
        assert fused == {
            "the zebra": near(1 / 63 + 1 / 61 + 0.5 / 63),
            "a lion": near(1 / 61 + 0.5 / 62),
            "water": near(1 / 62 + 0.5 / 61),
        }
        assert {h.memory.text for h in hits if h.words} == {"the zebra"}
        assert [h.fused for h in hits] == sorted((h.fused for h in hits), reverse=True)
        assert recalled(store, "zebra", limit=1) == hits[:1]

    def test_of_equal_memories_the_newer_comes_first(self, store: Store) -> None:
        """Whatever their ids."""
        keep(store, [said("zebra", memory_id=i) for i in ("b", "c", "a")], [ALONG] * 3)
        assert [h.memory.memory_id for h in recalled(store, "zebra")] == ["a", "c", "b"]

    def test_what_neither_points_the_same_way_nor_holds_a_word_is_not_recalled(self, store: Store) -> None:
        """A vector without direction is at right angles to everything."""
        zeros = np.zeros(DIMENSION, dtype=np.float32)
        keep(store, [said("opposite"), said("nowhere"), said("zebra")], [towards(-0.9), zeros, zeros])
        assert [h.memory.text for h in recalled(store, "zebra")] == ["zebra"]
        assert recalled(store, "") == ()
        assert store.recall(Probe(zeros, "lion"), limit=9) == ()

    def test_a_conversation_is_recalled_by_itself(self, store: Store) -> None:
        """Ranks count inside it."""
        keep(store, [said("zebra a", "a"), said("zebra b", "b"), said("zebra c", "a' OR '1'='1")], [ALONG] * 3)
        [hit] = recalled(store, "zebra", conversation_id="a")
        assert (hit.memory.text, hit.fused) == ("zebra a", near(2.5 / 61))
        assert [h.memory.text for h in recalled(store, "zebra", conversation_id="a' OR '1'='1")] == ["zebra c"]
        assert recalled(store, "zebra", conversation_id="z") == ()

    def test_more_are_recalled_than_the_usual_number_of_candidates(self, store: Store) -> None:
        """As many as are asked for."""
        keep(store, [said(f"zebra {n}") for n in range(80)], [ALONG] * 80)
        assert len(recalled(store, "zebra", limit=70)) == 70

    @pytest.mark.parametrize("text", HOSTILE_QUESTIONS, ids=range(len(HOSTILE_QUESTIONS)))
    def test_whatever_is_asked_of_memory_are_just_words(self, store: Store, text: str) -> None:
        """And whatever was said is just text."""
        keep(store, [said("zebra")], [towards(-0.5)])
        assert [h.memory.text for h in recalled(store, text)] == (["zebra"] if "zebra" in text else [])
        store.memories(conversation_id=text)
        assert store.forget(memory_ids=[text]) == store.forget(conversation_id=text) == 0

    def test_hostile_texts_are_kept_without_what_no_database_holds(self, store: Store) -> None:
        """NUL goes, half characters become U+FFFD."""
        text = "a\x00b\ud800 '; DROP TABLE x; --"
        hostile = said(text, "c\x00", memory_id="1\x00", role="\x00r", metadata={"\x00": "\ud800"})
        keep(store, [hostile], [ALONG])
        [memory] = store.memories()
        assert (memory.text, memory.conversation_id) == ("ab\ufffd '; DROP TABLE x; --", "c")
        assert (memory.memory_id, memory.role, memory.metadata) == ("1", "r", {"": "\ufffd"})

    def test_memories_are_forgotten_by_id_by_conversation_or_by_both(self, store: Store) -> None:
        """With neither nothing is forgotten; turns go on."""
        keep(store, [said("a1", "a"), said("a2", "a"), said("b1", "b"), said("b2", "b")])
        assert store.forget() == store.forget(memory_ids=[]) == 0
        assert store.forget(memory_ids=["a1", "b1", "unknown"], conversation_id="a") == 1
        assert store.forget(memory_ids=["b1", "b1"]) == 1
        assert store.forget(conversation_id="a") == 1
        assert texts(store.memories()) == ["b2"]
        assert keep(store, [said("new")]).memories[0].turn == 5
        assert store.forget(conversation_id="b") == 1
        assert [h.memory.text for h in recalled(store, "new")] == ["new"]

    @pytest.mark.parametrize("shape", [(2, DIMENSION), (1, DIMENSION + 1), (1,)])
    def test_memories_with_vectors_that_do_not_fit_are_refused_whole(
        self, store: Store, shape: tuple[int, ...]
    ) -> None:
        """As are values that are not finite."""
        with pytest.raises(EmbeddingMismatchError, match="shape"):
            store.remember([said("x")], np.ones(shape, dtype=np.float32), per_conversation=9, in_workspace=9)
        with pytest.raises(EmbeddingMismatchError, match="finite"):
            keep(store, [said("y"), said("x")], [ALONG, np.full(DIMENSION, np.nan, dtype=np.float32)])
        assert store.memories() == ()
        assert keep(store, []) == Remembered()

    def test_memories_and_documents_do_not_meet(self, database: Database, store: Store) -> None:
        """Deleting documents forgets nothing, words of memories find no chunks; memory goes with its workspace."""
        store.write([example_document("a", ("zebra",))])
        keep(store, [said("zebra lion")], [ALONG])
        with store.reading() as snapshot:
            assert len(snapshot.chunks_with_words(Probe(ALONG, "zebra lion"), limit=9)) == 1
            assert len(snapshot.nearest_chunks(ALONG, limit=9)) == 1
        other = database.create_workspace("other", EMBEDDER)
        assert (other.memories(), recalled(other, "zebra")) == ((), ())
        store.delete_documents(["a"])
        assert len(store.memories()) == 1
        database.drop_workspace("example")
        assert database.create_workspace("example", EMBEDDER).memories() == ()


class CalibrationRules:
    """See ``testing.suites.stores``."""

    def test_calibrations_are_kept_one_for_each_embedder_and_kind_of_score(self, store: Store) -> None:
        """By embedder, then by kind; a new one takes the place of the old one; no revision moves."""
        before = workspace_of(store)
        assert store.calibrations() == ()
        one = calibration("b", slope=1 / 3, error_after=0.1, source="x\x00y", fitted_at=AT)
        for each in (one, calibration("b", "words"), calibration("a"), calibration("b", "words", slope=9.0)):
            store.set_calibration(each)
        found = store.calibrations()
        assert [(c.embedder_id, c.score_kind, c.slope) for c in found] == [
            ("a", "cosine", 2.0),
            ("b", "cosine", 1 / 3),
            ("b", "words", 9.0),
        ]
        assert found[1] == one.model_copy(update={"source": "xy"})
        assert workspace_of(store) == before
        assert store.remove_calibrations() == 3
        assert (store.calibrations(), store.remove_calibrations()) == ((), 0)

    def test_calibrations_go_with_their_workspace(self, database: Database, store: Store) -> None:
        """And are nobody else's."""
        store.set_calibration(calibration("a"))
        assert database.create_workspace("other", EMBEDDER).calibrations() == ()
        database.drop_workspace("example")
        assert database.create_workspace("example", EMBEDDER).calibrations() == ()


def calibration(embedder_id: str, score_kind: str = "cosine", **fields: Any) -> Calibration:
    """One with a slope of 2."""
    made = {"calibration_id": "x", "slope": 2.0, "intercept": -1.0}
    return Calibration(embedder_id=embedder_id, score_kind=score_kind, **{**made, **fields})
