"""Rules for what becomes of saved runs: deleted and restored, reviewed, and the states of the corpus beside them."""

from __future__ import annotations

import pytest

from docgraph.domain.saved_run import ReviewEntry, ReviewKind
from docgraph.errors import NotFoundError
from docgraph.ports import Database
from tests.contract.stores.example_runs import example_run, example_saved, example_state

NOW = "2026-02-01T00:00:00+00:00"
REVISION = "a" * 32


def entry(kind: ReviewKind, **fields: object) -> ReviewEntry:
    """A line of a review."""
    return ReviewEntry.model_validate({"kind": kind, "at": NOW, "by": "me"} | fields)


class SavedRunLifeRules:
    """See ``testing.suites.stores``."""

    def test_a_deleted_run_is_put_away_until_it_is_restored(self, database: Database) -> None:
        """With its review and everything said about it."""
        runs = database.runs
        saved = runs.save(example_saved(pinned=True))
        runs.add_review(saved.run_id, entry("approved"))
        assert runs.delete(saved.run_id, at=NOW).deleted_at == NOW
        assert runs.find() == ()
        assert [(s.run_id, s.deleted_at) for s in runs.find(deleted=True)] == [(saved.run_id, NOW)]
        for call in (runs.load, runs.describe, runs.reviews):
            with pytest.raises(NotFoundError):
                call(saved.run_id)
        with pytest.raises(NotFoundError):
            runs.delete(saved.run_id, at=NOW)
        assert runs.restore(saved.run_id[:6]).deleted_at == ""
        assert runs.load(saved.run_id) == saved
        assert runs.find()[0].approved_by == "me"
        assert runs.find(deleted=True) == ()

    def test_restoring_a_run_that_is_there_changes_nothing(self, database: Database) -> None:
        """Doing it twice does no harm."""
        saved = database.runs.save(example_saved())
        assert database.runs.restore(saved.run_id) == database.runs.find()[0]

    def test_a_run_that_is_saved_again_comes_back(self, database: Database) -> None:
        """With its first name, when no other is given."""
        saved = database.runs.save(example_saved(name="first"))
        database.runs.delete(saved.run_id, at=NOW)
        assert database.runs.save(example_saved(name="")).name == "first"
        assert database.runs.load(saved.run_id) == saved

    @pytest.mark.parametrize("put_away", [False, True])
    def test_forever_removes_a_run_with_its_review(self, database: Database, put_away: bool) -> None:
        """Whether it was put away before or not; saving it again begins anew."""
        runs = database.runs
        saved = runs.save(example_saved(baselines={"ms3": example_run(text="flat")}))
        runs.add_review(saved.run_id, entry("approved"))
        if put_away:
            runs.delete(saved.run_id, at=NOW)
        assert runs.delete(saved.run_id, at=NOW, forever=True).run_id == saved.run_id
        assert (runs.find(), runs.find(deleted=True)) == ((), ())
        with pytest.raises(NotFoundError):
            runs.restore(saved.run_id)
        again = runs.save(example_saved())
        assert (again.baselines, runs.reviews(again.run_id)) == ({}, ())

    def test_a_review_is_read_in_the_order_in_which_it_was_written(self, database: Database) -> None:
        """Lines of one second too, and with every field."""
        lines = [
            entry("item", item="seeds", checked=True),
            entry("item", item="seeds", checked=False),
            entry("note", text="Ünïcödé %s\n'quoted'"),
            entry("approved", by=""),
            entry("withdrawn"),
        ]
        saved = database.runs.save(example_saved())
        other = database.runs.save(example_saved(example_run("other")))
        for line in lines:
            database.runs.add_review(saved.run_id[:5], line)
        assert database.runs.reviews(saved.run_id) == tuple(lines)
        assert database.runs.reviews(other.run_id) == ()

    @pytest.mark.parametrize(
        ("kinds", "by"),
        [
            ([], ""),
            (["approved"], "me"),
            (["approved", "withdrawn"], ""),
            (["withdrawn", "approved"], "me"),
            (["approved", "withdrawn", "note", "approved", "item"], "me"),
            (["note", "item"], ""),
        ],
    )
    def test_a_run_is_approved_until_that_is_withdrawn(
        self, database: Database, kinds: list[ReviewKind], by: str
    ) -> None:
        """The last word counts; notes and items are none."""
        saved = database.runs.save(example_saved())
        for kind in kinds:
            database.runs.add_review(saved.run_id, entry(kind))
        assert database.runs.find()[0].approved_by == by

    def test_an_approval_without_a_name_is_by_somebody(self, database: Database) -> None:
        """An empty ``approved_by`` means that nobody approves."""
        saved = database.runs.save(example_saved())
        database.runs.add_review(saved.run_id, entry("approved", by=""))
        assert database.runs.find()[0].approved_by == "somebody"
        assert database.runs.describe(saved.run_id, pinned=True).approved_by == "somebody"

    def test_a_state_is_kept_once_a_revision(self, database: Database) -> None:
        """A complete one says everything there is to say."""
        state = example_state("a", "b", off_relation_types=("mentions",))
        database.runs.save(example_saved(), state)
        database.runs.save(example_saved(example_run("other")), example_state("c"))
        assert database.runs.state("example", REVISION) == state
        assert database.runs.state("example", "b" * 32) is None
        assert database.runs.state("other", REVISION) is None

    def test_incomplete_states_of_one_revision_are_put_together(self, database: Database) -> None:
        """Each holds the documents of its own run alone; a complete one takes their place."""
        runs = database.runs
        runs.save(example_saved(), example_state("a", complete=False))
        runs.save(example_saved(example_run("other")), example_state("c", complete=False))
        assert runs.state("example", REVISION) == example_state("a", "c", complete=False)
        runs.save(example_saved(), example_state("a", "b", "c"))
        assert runs.state("example", REVISION) == example_state("a", "b", "c")

    def test_a_state_goes_with_the_last_run_that_was_made_on_it(self, database: Database) -> None:
        """Not with one that is only put away."""
        runs = database.runs
        first = runs.save(example_saved(), example_state("a"))
        second = runs.save(example_saved(example_run("other")))
        runs.delete(second.run_id, at=NOW)
        runs.delete(first.run_id, at=NOW, forever=True)
        assert runs.state("example", REVISION) == example_state("a")
        runs.delete(second.run_id, at=NOW, forever=True)
        assert runs.state("example", REVISION) is None
