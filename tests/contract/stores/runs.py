"""Rules for saved runs: what was saved stays what it was, is found again, described, put away and reviewed."""

from __future__ import annotations

import threading

import pytest

from docgraph.domain.saved_run import ReviewEntry, RunSummary, content_hash
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.ports import Database, Store
from tests.contract.stores.example_runs import example_run, example_saved, example_state
from tests.contract.stores.examples import example_document
from tests.contract.stores.writing import HOSTILE

NOW = "2026-02-01T00:00:00+00:00"
REVISION = "a" * 32


def names(found: tuple[RunSummary, ...]) -> list[str]:
    """Names in the order found."""
    return [summary.name for summary in found]


class SavedRunRules:
    """See ``testing.suites.stores``."""

    def test_a_run_comes_back_as_it_was_saved_with_its_baselines(self, database: Database) -> None:
        """Under its whole id and under four characters of it, in any case; its hash is still that of its content."""
        baselines = {"ms3": example_run("why", text="flat"), "plain": example_run("why", text="grouped")}
        saved = example_saved(note="a\nnote", pinned=True, baselines=baselines)
        assert database.runs.save(saved) == saved
        for run_id in (saved.run_id, saved.run_id[:4], saved.run_id.upper()):
            assert database.runs.load(run_id) == saved
            assert database.runs.load(run_id, baselines=False) == saved.model_copy(update={"baselines": {}})
        assert content_hash(database.runs.load(saved.run_id).run) == saved.content_hash

    @pytest.mark.parametrize("text", [*HOSTILE, "a\x00b\x1fc", "\u2028\u202e\x7f", " \t\r\n "])
    def test_hostile_text_survives_as_it_is(self, database: Database, text: str) -> None:
        """In the question, and in a chunk even NUL: what was read is what is kept."""
        saved = example_saved(example_run(text + "?", text=text), name="x", note=text.replace("\x00", ""))
        database.runs.save(saved)
        assert database.runs.load(saved.run_id) == saved
        wanted = text.replace("\x00", "").strip()
        assert [s.run_id for s in database.runs.find(text=wanted)] == [saved.run_id]

    def test_what_is_said_about_a_run_is_kept_without_nul(self, database: Database) -> None:
        """Databases hold none; nothing is refused for it."""
        saved = database.runs.save(example_saved(name="na\x00me", note="no\x00te", saved_by="m\x00e"))
        assert (saved.name, saved.note, saved.saved_by) == ("name", "note", "me")
        assert database.runs.describe(saved.run_id, name="new\x00").name == "new"
        database.runs.add_review(saved.run_id, ReviewEntry(kind="note", at=NOW, text="a\x00b"))
        assert database.runs.reviews(saved.run_id)[0].text == "ab"

    def test_the_same_content_again_keeps_id_and_time_and_takes_what_is_given(self, database: Database) -> None:
        """Another speed is no other content; an empty name or note takes nothing away."""
        first = database.runs.save(example_saved(note="note", baselines={"ms3": example_run(text="flat")}))
        again = example_saved(
            example_run(milliseconds=99.0),
            name="",
            note="",
            saved_at=NOW,
            saved_by="you",
            pinned=True,
            baselines={"plain": example_run(text="grouped")},
        )
        kept = database.runs.save(again)
        assert kept == database.runs.load(first.run_id)
        assert kept == first.model_copy(update={"pinned": True, "baselines": first.baselines | again.baselines})
        renamed = database.runs.save(example_saved(name="Other", note="more"))
        assert (renamed.name, renamed.note, renamed.pinned) == ("Other", "more", True)
        assert len(database.runs.find()) == 1

    def test_the_content_that_a_run_was_made_on_stays_with_it(self, database: Database) -> None:
        """Through whatever is said about it, and where it is saved again without; its hash does not cover it."""
        first = database.runs.save(example_saved(content_revision=REVISION))
        assert (first, first.content_hash) == (database.runs.load(first.run_id), example_saved().content_hash)
        database.runs.describe(first.run_id, name="Other")
        database.runs.delete(first.run_id, at=NOW)
        database.runs.restore(first.run_id)
        database.runs.save(example_saved(name="Again"))
        assert [row.content_revision for row in database.runs.find()] == [REVISION]
        later = database.runs.save(example_saved(content_revision="b" * 32))
        assert (later.content_revision, database.runs.load(later.run_id)) == ("b" * 32, later)

    def test_a_run_without_a_name_is_called_by_its_question(self, database: Database) -> None:
        """Also when its name is taken away."""
        saved = database.runs.save(example_saved(example_run("why so"), name=""))
        assert saved.name == database.runs.load(saved.run_id).name == "why so"
        database.runs.describe(saved.run_id, name="because")
        assert database.runs.describe(saved.run_id, name="").name == "why so"

    def test_a_run_under_a_hash_that_is_not_its_own_is_refused(self, database: Database) -> None:
        """It could not be told from one that was tampered with."""
        with pytest.raises(UserError, match="hash of its content"):
            database.runs.save(example_saved(content_hash="0" * 64))
        assert database.runs.find() == ()

    def test_saving_the_same_run_at_once_keeps_it_once(self, database: Database) -> None:
        """Nobody fails."""
        saved, problems = example_saved(), list[Exception]()

        def save() -> None:
            try:
                database.runs.save(saved, example_state("a"))
            except Exception as error:
                problems.append(error)

        threads = [threading.Thread(target=save) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(database.runs.find()) == 1

    @pytest.mark.parametrize("run_id", ["", "abc", "no-such-run!", "%%%%", "____", "0" * 65])
    def test_what_cannot_be_an_id_is_said_to_be_none(self, database: Database, run_id: str) -> None:
        """For every method that takes one."""
        runs = database.runs
        for call in (runs.load, runs.describe, runs.restore, runs.reviews):
            with pytest.raises(UserError, match="not the id of a run"):
                call(run_id)
        with pytest.raises(UserError, match="not the id of a run"):
            runs.delete(run_id, at=NOW)

    def test_an_unknown_run_is_named(self, database: Database) -> None:
        """For every method that takes an id."""
        runs, entry = database.runs, ReviewEntry(kind="note", at=NOW)
        for call in (runs.load, runs.describe, runs.restore, runs.reviews):
            with pytest.raises(NotFoundError, match="'0000'"):
                call("0000")
        with pytest.raises(NotFoundError, match="'0000'"):
            runs.delete("0000", at=NOW)
        with pytest.raises(NotFoundError, match="'0000'"):
            runs.add_review("0000", entry)

    def test_a_beginning_that_fits_several_runs_is_refused_and_a_whole_id_means_itself(
        self, database: Database
    ) -> None:
        """A longer id may begin with a whole shorter one."""
        short = example_saved()
        database.runs.save(short)
        by_start: dict[str, str] = {}
        for number in range(2_000):
            run = example_run(f"question {number}")
            whole = content_hash(run)
            if whole[:4] in by_start:
                database.runs.save(example_saved(run))
                database.runs.save(example_saved(example_run(by_start[whole[:4]])))
                with pytest.raises(UserError, match=r"beginning of 2 saved runs"):
                    database.runs.load(whole[:4])
                assert database.runs.load(whole[:12]).run == run
                return
            by_start[whole[:4]] = run.request.query
        raise AssertionError("2,000 hashes of 16 bits do not differ")

    def test_another_run_never_takes_an_id(self, database: Database) -> None:
        """The id is the beginning of the hash, so this takes a forged one."""
        saved = example_saved()
        database.runs.save(saved)
        other = example_saved(example_run("other"), run_id=saved.run_id)
        with pytest.raises((ConflictError, UserError)):
            database.runs.save(other)
        assert database.runs.load(saved.run_id) == saved

    def test_runs_are_found_pinned_first_then_the_newest(self, database: Database) -> None:
        """Ties by id."""
        for name, at, pinned in (("old", "2026-01-01", False), ("new", "2026-01-03", False), ("pin", "2025", True)):
            database.runs.save(example_saved(example_run(name), name=name, saved_at=at, pinned=pinned))
        assert names(database.runs.find()) == ["pin", "new", "old"]
        assert names(database.runs.find(limit=2)) == ["pin", "new"]
        same = [example_saved(example_run(f"tie {n}"), name="tie", saved_at="2026-01-02") for n in range(5)]
        for saved in same:
            database.runs.save(saved)
        found = [s.run_id for s in database.runs.find(text="tie")]
        assert found == sorted(s.run_id for s in same)

    def test_a_search_looks_through_name_note_question_and_id_whatever_the_case(self, database: Database) -> None:
        """``%`` and ``_`` mean themselves."""
        saved = database.runs.save(example_saved(example_run("Wie groß?"), name="ÄPFEL 100%", note="under_score"))
        database.runs.save(example_saved(example_run("other"), name="b", note=""))
        for text in ("äpfel", "100%", "UNDER_", "GROSS", saved.run_id[2:9].upper(), "WIE"):
            assert [s.run_id for s in database.runs.find(text=text)] == [saved.run_id], text
        for text in ("1%0", "under%", "_nder", "ÄPFEL 100%under"):
            assert database.runs.find(text=text) == (), text
        assert len(database.runs.find(text="")) == 2

    def test_runs_are_found_by_their_workspace(self, database: Database) -> None:
        """Or everywhere."""
        database.runs.save(example_saved(example_run(workspace="one"), name="1"))
        database.runs.save(example_saved(example_run(workspace="two"), name="2"))
        assert names(database.runs.find(workspace="one")) == ["1"]
        assert database.runs.find(workspace="o") == ()
        assert len(database.runs.find()) == 2

    def test_a_summary_counts_what_is_in_the_run(self, database: Database) -> None:
        """The same for every store."""
        saved = database.runs.save(example_saved(note="n"))
        assert database.runs.find() == (
            RunSummary(
                run_id=saved.run_id,
                workspace="example",
                name="A run",
                note="n",
                query="why",
                saved_at=saved.saved_at,
                saved_by="me",
                content_hash=saved.content_hash,
                plan_id=saved.run.plan.plan_id,
                corpus_revision=REVISION,
                embedder_id="example:sha256:8",
                n_seeds=1,
                n_expanded=1,
                n_chunks=2,
                n_tokens=7,
            ),
        )

    def test_describing_changes_what_is_said_and_never_the_run(self, database: Database) -> None:
        """None leaves a field as it is."""
        saved = database.runs.save(example_saved(note="n"))
        assert database.runs.describe(saved.run_id, name="New").name == "New"
        assert database.runs.describe(saved.run_id, note="", pinned=True).pinned
        kept = database.runs.load(saved.run_id)
        assert kept == saved.model_copy(update={"name": "New", "note": "", "pinned": True})
        assert not database.runs.describe(saved.run_id, pinned=False).pinned
        assert names(database.runs.find(text="new")) == ["New"]
        assert database.runs.find(text="a run") == ()

    def test_saved_runs_outlive_documents_and_workspace(self, database: Database, store: Store) -> None:
        """They belong to no workspace's tables."""
        store.write([example_document("a"), example_document("b")])
        saved = database.runs.save(example_saved(), example_state("a", "b"))
        store.delete_documents(["a", "b"])
        database.drop_workspace("example")
        assert database.runs.load(saved.run_id) == saved
        assert names(database.runs.find(workspace="example")) == ["A run"]
        assert database.runs.state("example", REVISION) == example_state("a", "b")
