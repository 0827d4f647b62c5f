"""What an edit does to what is judged relevant, in words: counted, named, and never claimed where nobody judged."""

from __future__ import annotations

from docgraph.domain.edit import Edit
from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import AskedQuestion, Gains, ImpactReport, QuestionImpact
from docgraph.views.relationships.effects import change_words, effect_row, judged_moves, judged_note, judged_questions

HOSTILE = "<b>Bee</b>"


def gains(*ids: str, relevant: int | None = None) -> Gains:
    """Documents that come in or go out; the first ``relevant`` of them are judged so."""
    refs = tuple(DocumentRef(document_id=i, title=HOSTILE if i == "b" else f"Dee {i}") for i in ids)
    return Gains(n_documents=len(refs), documents=refs, n_relevant=relevant, relevant=refs[: relevant or 0])


def question(gained: Gains, lost: Gains) -> QuestionImpact:
    return QuestionImpact(run_id="r", name="q", query="q", gained=gained, lost=lost, sentence="1 document more.")


def report(*questions: QuestionImpact) -> ImpactReport:
    asked = tuple(AskedQuestion(run_id="r", name="q", query="q", changed=True) for _ in questions)
    edit = Edit(action="remove", key=("a", "x", "b"))
    return ImpactReport(
        workspace="w",
        corpus_revision="1",
        edits=(edit,),
        n_questions=len(questions),
        n_changed=len(questions),
        asked=asked,
        questions=questions,
    )


def test_what_is_judged_relevant_is_counted_and_named_on_both_sides() -> None:
    both = question(gains("b", "c", relevant=1), gains("d", "e", "f", "g", relevant=4))
    assert [move.words for move in judged_moves(both)] == [
        f"gains 1 judged relevant: {HOSTILE}",
        "loses 4 judged relevant: Dee d, Dee e, Dee f and 1 more",
    ]
    assert change_words(both) == f"gains {HOSTILE}, Dee c; loses Dee d, Dee e, Dee f and 1 more"


def test_a_judged_question_without_such_a_document_says_nothing_of_it() -> None:
    none = question(gains("c", relevant=0), gains(relevant=0))
    assert judged_moves(none) == ()
    assert judged_questions(report(none)) == (0, 0), "known, and nothing of it"
    assert judged_note([report(none)]) == "", "it is known that nothing judged comes or goes"


def test_unknown_is_said_once_and_only_where_no_changed_question_is_judged() -> None:
    unjudged, judged = question(gains("c"), gains()), question(gains("c", relevant=1), gains(relevant=0))
    assert judged_note([]) == judged_note([report()]) == ""
    assert judged_note([report(unjudged, unjudged)]).startswith("No question that changes is judged")
    assert judged_note([report(unjudged)]).startswith("The question that changes is not judged")
    assert "(--)" in judged_note([report(unjudged)])
    assert judged_note([report(unjudged), report(judged)]) == ""


def test_a_row_counts_the_questions_that_lose_and_gain_such_a_document() -> None:
    lose = question(gains("c", relevant=0), gains("d", relevant=1))
    win = question(gains("e", "f", relevant=2), gains(relevant=0))
    assert effect_row(report(lose, lose, win)).judged == (1, 2)
    assert effect_row(report(win)).judged == (1, 0)
    assert effect_row(report(question(gains("c"), gains()))).judged is None, "nobody judged: not known, never 0"


def test_a_row_counts_the_answers_that_a_document_leaves_and_those_that_it_enters() -> None:
    swap, lose = question(gains("c"), gains("d", "e")), question(gains(), gains("d"))
    assert effect_row(report(swap, lose, lose)).moves == "3 removed, 1 added"
    assert effect_row(report()).moves == "nothing changes"
    assert effect_row(report(question(gains(), gains()))).moves == "different order"
