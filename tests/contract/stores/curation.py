"""Rules for what a workspace remembers of its curators: rules, dismissals, and decisions that an import meets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from docgraph.domain.curation import Contested, Dismissal, TriageEntry
from docgraph.domain.finding import Rule
from docgraph.domain.graph import PreparedDocument, Relationship
from docgraph.ports import Database, Store
from tests.contract.stores.examples import AT, EMBEDDER, act, example_document, example_edge
from tests.contract.stores.writing import HOSTILE, edges_of, workspace_of

LATER = "2026-03-02T00:00:00+00:00"
KEY = ("a", "cites", "b")
REVIEW = {"reviewed_by": "Ann", "reviewed_at": AT, "content_hashes": ["1", "2"]}


def dismissal(subject_id: str, **fields: Any) -> Dismissal:
    """One of a finding."""
    made = {"kind": "finding", "source": "hub", "sentence": "said", "by": "Ann", "at": AT, "reason": "known"}
    return Dismissal(subject_id=subject_id, **{**made, **fields})


def remark(decision_id: str, **fields: Any) -> TriageEntry:
    """A comment on a decision."""
    return TriageEntry(
        **{"decision_id": decision_id, "kind": "comment", "text": "said", "by": "Ann", "at": AT, **fields}
    )


def imported(store: Store, edges: Sequence[Relationship], *, text: str = "text", at: str = LATER) -> None:
    """Documents a and b, with ``edges``, all of which start at a."""
    a, b = example_document("a", (text,)), example_document("b")
    hashes = replace(a.hashes, stated=repr((text, edges)))
    given = PreparedDocument(a.document, a.vector, a.chunks, a.chunk_vectors, tuple(edges), hashes)
    store.write([given, b], at=at)


def stated(**metadata: Any) -> Relationship:
    """The relationship at ``KEY`` as an import brings it."""
    return example_edge(*KEY, **{"extractor": "example", **metadata})


class CurationRules:
    """See ``testing.suites.stores``."""

    def test_rules_are_kept_as_they_were_stored_and_replaced_together(self, store: Store) -> None:
        """With parameters of every kind; whoever stores none has none. The revision stays."""
        before = workspace_of(store)
        rules = {
            "orphan": Rule(on=False),
            "hub": Rule(severity="info", parameters={"max_fan_out": 3, "share": 0.5, "pairs": [["a", "b"]], "x": True}),
        }
        assert store.rules() == {}
        store.set_rules(rules)
        assert store.rules() == rules
        assert list(store.rules()) == ["hub", "orphan"]
        store.set_rules({"orphan": Rule()})
        assert store.rules() == {"orphan": Rule()}
        store.set_rules({})
        assert store.rules() == {}
        assert workspace_of(store) == before

    def test_dismissals_stand_newest_first_one_for_each_subject(self, store: Store) -> None:
        """A new one takes the place of the old one; withdrawing counts what was there. The revision stays."""
        before = workspace_of(store)
        rejected = dismissal(
            "c", kind="suggestion", relationships=(KEY,), content_hashes={"b": "2", "a": ""}, reason=""
        )
        store.dismiss([dismissal("a"), dismissal("b"), rejected])
        store.dismiss([])
        newer = dismissal("a", at=LATER, by="Ben", reason="again")
        store.dismiss([dismissal("a", at=LATER), newer])
        assert store.dismissals() == (newer, dismissal("b"), rejected)
        assert store.withdraw(["b", "nobody", "b"]) == 1
        assert store.withdraw([]) == 0
        assert store.dismissals() == (newer, rejected)
        assert workspace_of(store) == before

    def test_what_is_said_of_decisions_is_numbered_once_and_taken_back_by_number(self, store: Store) -> None:
        """Oldest first; a number that was taken back is not given again. The revision stays."""
        before = workspace_of(store)
        first, second = store.say_triage([remark("a"), remark("b", kind="due", text="2026-03-04", finding_ids=("f",))])
        assert (first.entry_id, second.entry_id) == (1, 2)
        assert store.say_triage([]) == ()
        assert store.triage() == (first, second)
        assert store.take_back_triage([2, 2, 7]) == 1
        assert store.take_back_triage([2]) == store.take_back_triage([]) == 0
        [third] = store.say_triage([remark("b")])
        assert third.entry_id == 3
        assert store.triage() == (first, third)
        assert workspace_of(store) == before

    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_text_of_curators_survives_as_it_is(self, store: Store, text: str) -> None:
        """NUL goes."""
        kept = dismissal(text[:100], sentence=text, by=text, reason=text, relationships=((text, text[:100], text),))
        store.dismiss([kept.model_copy(update={"reason": text + "\x00"})])
        store.set_rules({text: Rule(parameters={text: [text]})})
        assert store.dismissals() == (kept,)
        assert store.rules() == {text: Rule(parameters={text: [text]})}
        assert store.withdraw([text[:100]]) == 1
        said = remark(text[:100], label=text, text=text[:2_000], by=text)
        [made] = store.say_triage([said.model_copy(update={"label": text + "\x00"})])
        assert store.triage() == (made,) == (said.model_copy(update={"entry_id": made.entry_id}),)

    def test_each_workspace_remembers_for_itself_until_it_goes(self, database: Database, store: Store) -> None:
        """A new workspace of the same name begins anew."""
        other = database.create_workspace("other", EMBEDDER)
        for each in (store, other):
            each.set_rules({"hub": Rule(on=False)})
            each.dismiss([dismissal("a")])
            each.say_triage([remark("a")])
            imported(each, [stated()])
            act(each, stated(), None)
            imported(each, [stated()], text="new")
            assert len(each.contested()) == 1
        database.drop_workspace("example")
        new = database.create_workspace("example", EMBEDDER)
        assert (new.rules(), new.dismissals(), new.triage(), new.contested()) == ({}, (), (), ())
        kept = database.open_workspace("other")
        assert tuple(map(len, (kept.rules(), kept.dismissals(), kept.triage(), kept.contested()))) == (1, 1, 1, 1)

    def test_whoever_may_write_is_told_so(self, store: Store) -> None:
        """Asking changes nothing."""
        before = workspace_of(store)
        assert store.may_write() is True
        assert workspace_of(store) == before

    def test_what_a_person_took_away_does_not_come_back_with_an_import(self, store: Store) -> None:
        """It is contested, with what is stated now and what was there; an import of the same text is none."""
        imported(store, [stated(text="old")])
        entry = act(store, stated(text="old"), None)
        assert store.contested() == ()
        imported(store, [stated(text="new")], text="new")
        assert edges_of(store) == ()
        row = Contested(
            kind="stated", relationship=stated(text="new"), entry_id=entry.entry_id, at=LATER, before=entry.before
        )
        assert store.contested() == (row,)
        imported(store, [stated(text="new")], text="new", at="never")
        assert store.contested() == (row,)
        imported(store, [], text="third")
        assert (edges_of(store), store.contested()) == ((), ())

    def test_what_a_person_made_another_of_stays_the_other(self, store: Store) -> None:
        """Retyped, flipped or pointed elsewhere: the import's own is contested."""
        imported(store, [stated()])
        other = example_edge("a", "explains", "b", extractor="manual")
        entry = act(store, stated(), other)
        imported(store, [stated()], text="new")
        assert edges_of(store) == (other,)
        assert [(c.kind, c.relationship, c.after, c.entry_id) for c in store.contested()] == [
            ("stated", stated(), other, entry.entry_id)
        ]
        imported(store, [stated(), example_edge("a", "explains", "b", extractor="example")], text="both")
        assert edges_of(store) == (other,)
        assert len(store.contested()) == 1

    def test_a_decision_holds_though_the_document_was_deleted(self, store: Store) -> None:
        """What was contested of it goes with it, and comes back with the next import."""
        imported(store, [stated()])
        act(store, stated(), None)
        imported(store, [stated()], text="new")
        store.delete_documents(["a"])
        assert store.contested() == ()
        imported(store, [stated()])
        assert edges_of(store) == ()
        assert [c.kind for c in store.contested()] == ["stated"]

    def test_a_decision_taken_back_is_none_and_taken_up_again_is_one(self, store: Store) -> None:
        """An undo ends it, the undo of an undo restores it; what was there comes back as it was."""
        imported(store, [stated(text="old")])
        start = workspace_of(store).revision
        entry = act(store, stated(text="old"), None)
        undo = act(store, None, stated(text="old"), undoes=entry.entry_id)
        assert (edges_of(store), workspace_of(store).revision) == ((stated(text="old"),), start)
        imported(store, [stated(text="new")], text="new")
        assert (edges_of(store), store.contested()) == ((stated(text="new"),), ())
        act(store, stated(text="new"), None, undoes=undo.entry_id)
        imported(store, [stated(text="newer")], text="newer")
        assert edges_of(store) == ()
        assert [c.entry_id for c in store.contested()] == [entry.entry_id]
        again = act(store, None, stated(text="old"), undoes=store.history()[0].entry_id)
        assert (edges_of(store), store.contested()) == ((stated(text="old"),), ())
        act(store, stated(text="old"), None, undoes=again.entry_id)
        assert [c.relationship for c in store.contested()] == [stated(text="newer")]

    def test_taking_back_what_a_person_added_forbids_nothing(self, store: Store) -> None:
        """The import may state it."""
        imported(store, [])
        made = example_edge(*KEY, extractor="manual")
        entry = act(store, None, made)
        act(store, made, None, undoes=entry.entry_id)
        imported(store, [stated()], text="new")
        assert (edges_of(store), store.contested()) == ((stated(),), ())

    def test_a_review_outlives_an_import_with_the_texts_it_judged(self, store: Store) -> None:
        """Everything else of the metadata is the import's."""
        imported(store, [stated(text="old", place="body")])
        act(store, stated(text="old", place="body"), stated(text="old", place="body", review=REVIEW))
        imported(store, [stated(text="new", zeal=1)], text="new")
        (edge,) = edges_of(store)
        assert edge.relationship_metadata == {"extractor": "example", "text": "new", "zeal": 1, "review": REVIEW}
        assert store.contested() == ()

    def test_what_a_person_accepted_stays_though_no_import_states_it_any_more(self, store: Store) -> None:
        """It is contested until it is stated again, removed, or accepted anew."""
        imported(store, [stated()])
        accepted = stated(review=REVIEW)
        entry = act(store, stated(), accepted)
        imported(store, [], text="new")
        assert edges_of(store) == (accepted,)
        row = Contested(
            kind="unstated", relationship=accepted, entry_id=entry.entry_id, at=LATER, before=stated(), after=accepted
        )
        assert store.contested() == (row,)
        again = stated(review={**REVIEW, "reviewed_at": LATER})
        second = act(store, accepted, again)
        assert store.contested() == ()
        act(store, again, accepted, undoes=second.entry_id)
        assert store.contested() == (row,)
        removal = act(store, accepted, None)
        assert store.contested() == ()
        act(store, None, accepted, undoes=removal.entry_id)
        imported(store, [stated()], text="stated")
        assert (edges_of(store), store.contested()) == ((accepted,), ())
