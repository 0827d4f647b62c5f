"""Rules for judgments: one for each question and document, kept whatever becomes of the documents."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.judgment import Judgment
from docgraph.ports import Database, Store
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.contract.stores.writing import HOSTILE, workspace_of

AT = "2026-03-01T00:00:00+00:00"


def judgment(query: str, document_id: str, relevant: bool = True, **fields: Any) -> Judgment:
    """One of a person."""
    return Judgment(query=query, document_id=document_id, relevant=relevant, **{"by": "Ann", "at": AT, **fields})


class JudgmentRules:
    """See ``testing.suites.stores``."""

    def test_judgments_stand_by_question_and_document_one_for_each(self, store: Store) -> None:
        """A new one takes the place of the old one; how many were not there is told. The revision stays."""
        before = workspace_of(store)
        assert store.judgments() == ()
        first = [judgment("why?", "b"), judgment("why?", "a", False), judgment("How?", "z"), judgment("why?", "b")]
        assert store.judge(first) == 3
        assert store.judgments() == (first[2], first[1], first[0])
        newer = judgment("why?", "b", False, by="Ben", at="later")
        assert store.judge([newer, judgment("why?", "c")]) == 1
        assert store.judge([]) == 0
        assert store.judgments("why?") == (first[1], newer, judgment("why?", "c"))
        assert store.judgments("How?") == (first[2],)
        assert store.judgments("how?") == store.judgments("") == ()
        assert workspace_of(store) == before

    def test_a_judgment_that_is_there_stands_when_asked_to(self, store: Store) -> None:
        """A file of questions must not overwrite what a person said."""
        person = judgment("why?", "a", False)
        store.judge([person])
        given = [judgment("why?", "a", by="file"), judgment("why?", "b", by="file"), judgment("why?", "b", by="last")]
        assert store.judge(given, replace=False) == 1
        assert store.judgments() == (person, given[2])
        assert store.judge(given, replace=False) == 0

    def test_a_judgment_is_withdrawn_once(self, store: Store) -> None:
        """Others about the question, and about the document, stay."""
        store.judge([judgment("why?", "a"), judgment("why?", "b"), judgment("how?", "a")])
        assert store.withdraw_judgment("why?", "a") is True
        assert store.withdraw_judgment("why?", "a") is False
        assert store.withdraw_judgment("why?", "nobody") is False
        assert store.judgments() == (judgment("how?", "a"), judgment("why?", "b"))

    def test_judgments_outlive_the_documents_that_they_are_about(self, store: Store) -> None:
        """Written anew, removed, or never stored: it is for the reader to see which of them are there."""
        kept = (judgment("why?", "a"), judgment("why?", "never stored", False))
        store.write([example_document("a", ("old",))])
        store.judge(kept)
        store.write([example_document("a", ("new",))])
        assert store.judgments() == kept
        store.delete_documents(["a"])
        assert store.judgments() == kept

    def test_each_workspace_has_judgments_of_its_own_until_it_goes(self, database: Database, store: Store) -> None:
        """A new workspace of the same name begins anew."""
        other = database.create_workspace("other", EMBEDDER)
        store.judge([judgment("why?", "a")])
        other.judge([judgment("why?", "a", False)])
        database.drop_workspace("example")
        assert database.create_workspace("example", EMBEDDER).judgments() == ()
        assert database.open_workspace("other").judgments() == (judgment("why?", "a", False),)

    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_questions_and_names_are_kept_as_they_are(self, store: Store, text: str) -> None:
        """NUL goes."""
        store.judge([judgment(text + "\x00", text, by=text)])
        assert store.judgments(text) == store.judgments() == (judgment(text, text, by=text),)
        assert store.withdraw_judgment(text, text)

    def test_long_questions_that_begin_alike_are_told_apart(self, store: Store) -> None:
        """Longer than what an index holds, and so is the document's id in bytes."""
        long = "Größe " * 3_000
        kept = (judgment(long + "a", "文" * 512), judgment(long + "b", "文" * 512, False))
        assert store.judge(kept) == 2
        assert store.judgments() == kept
        assert store.judgments(long + "b") == kept[1:]
