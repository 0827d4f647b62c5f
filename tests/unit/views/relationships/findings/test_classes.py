"""Acts on a whole decision: what each of them edits, and which are not offered because nobody could mean them."""

from __future__ import annotations

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Decision, Finding
from docgraph.views.relationships.findings.queue import class_words, footer
from docgraph.views.relationships.findings.subject import alternatives, class_alternatives, subject_of

A, B, C = (("a", "links_to", "x"), ("b", "links_to", "x"), ("c", "links_to", "x"))


def finding(*keys: tuple[str, str, str], documents: tuple[str, ...] = (), fix: tuple[Edit, ...] = ()) -> Finding:
    return Finding.about("check", "warning", "said", relationships=keys, document_ids=documents, fix=fix)


def acts(findings: list[Finding], fix: tuple[Edit, ...] = (), to: str = "", there: set[object] | None = None) -> object:
    known = {A, B, C} if there is None else there
    found = class_alternatives(findings, fix, to, known, titled=str)  # type: ignore[arg-type]
    return {each.name: (each.label, tuple((e.action, e.key[0]) for e in each.edits)) for each in found}


def test_each_act_is_on_every_relationship_once() -> None:
    every = [finding(A), finding(B), finding(C)]
    assert acts(every, to="cites") == {
        "accept": ("Keep all 3", (("accept", "a"), ("accept", "b"), ("accept", "c"))),
        "retype": ("Change to cites", (("retype", "a"), ("retype", "b"), ("retype", "c"))),
        "remove": ("Remove all 3", (("remove", "a"), ("remove", "b"), ("remove", "c"))),
    }


def test_a_retype_that_meets_one_that_is_stored_removes_instead() -> None:
    found = acts([finding(A), finding(B)], to="cites", there={A, B, ("b", "cites", "x")})
    assert isinstance(found, dict)
    assert found["retype"] == ("Change to cites", (("retype", "a"), ("remove", "b")))


def test_what_the_check_proposes_stands_once_where_it_is_the_removal_of_all() -> None:
    removals = tuple(Edit(action="remove", key=key) for key in (A, B))
    assert set(acts([finding(A), finding(B)], removals)) == {"accept", "remove"}  # type: ignore[call-overload]
    other = (Edit(action="retarget", key=A, to_document_id="y"), Edit(action="retarget", key=B, to_document_id="z"))
    assert acts([finding(A), finding(B)], other)["fix"] == (  # type: ignore[index]
        "Fix 2 relationships",
        (("retarget", "a"), ("retarget", "b")),
    )


def test_of_findings_about_several_relationships_each_none_is_retyped_or_removed() -> None:
    assert set(acts([finding(A, B), finding(C)], to="cites")) == {"accept"}  # type: ignore[call-overload]


def test_pairs_that_lack_a_relationship_get_one_each_and_findings_about_documents_nothing() -> None:
    lacks = [Edit(action="add", key=(start, "related_to", "x")) for start in "ab"]
    pairs = [finding(documents=(each.key[0], "x"), fix=(each,)) for each in lacks]
    assert acts(pairs, to="cites") == {"retype": ("Add 2 cites", (("add", "a"), ("add", "b")))}
    assert acts([finding(documents=("a",)), finding(documents=("b",))], to="cites") == {}


def test_two_documents_of_one_name_are_not_offered_a_relationship() -> None:
    """Of two notes with one alias, the act offered first was "Add links_to from A to B": that mends nothing."""
    alike = finding(documents=("a", "x"))
    assert alternatives(alike, subject_of(alike, set()), "cites", titled=str) == ()
    assert acts([alike, finding(documents=("b", "x"))], to="cites") == {}
    gone = finding(A)
    assert [each.label for each in alternatives(gone, subject_of(gone, set()), "cites", titled=str)] == [
        "Add cites from A to B",
        "Add cites from B to A",
    ]


def test_what_is_gone_is_not_edited() -> None:
    assert acts([finding(A), finding(B)], there={A}) == {
        "accept": ("Keep", (("accept", "a"),)),
        "remove": ("Remove", (("remove", "a"),)),
    }


def test_a_class_says_how_many_documents_state_it_or_names_the_first() -> None:
    def decided(cause: str) -> Decision:
        return Decision.model_validate(
            {
                "decision_id": "d",
                "check_id": "c",
                "severity": "info",
                "cause": cause,
                "label": "3 × x",
                "finding_ids": ("1",),
            }
        )

    every = [finding(A), finding(B), finding(C)]
    assert class_words(decided("target"), every, titled=str) == "links_to from 3 documents"
    assert class_words(decided("block"), [*every, finding(("a", "links_to", "y"))], titled=str) == (
        "links_to from 3 documents to the same 2, like a navigation menu"
    )
    assert class_words(decided("types"), every, titled=str) == "a → x, b → x …"


def test_a_class_says_what_is_said_of_all_alike() -> None:
    decided = Decision(
        decision_id="d", check_id="c", severity="info", cause="target", label="2 × x", finding_ids=("1",)
    )

    def words(*tails: str) -> str:
        keys = zip((A, B), tails, strict=True)
        every = [Finding.about("c", "info", f"{k[0]} —links_to→ x: {tail}", relationships=(k,)) for k, tail in keys]
        return class_words(decided, every, titled=str)

    reason = "its file was not imported: no text"
    assert words(reason, reason) == f"links_to from 2 documents; {reason}"
    assert words(reason, "it has no section #b") == "links_to from 2 documents"
    assert words("there is no document x", "there is no document x") == "links_to from 2 documents"


def test_the_footer_says_what_the_decisions_that_are_not_shown_would_change() -> None:
    def reaching(n: int) -> Decision:
        return Decision(decision_id=str(n), check_id="c", severity="info", label="x", finding_ids=("1",), n_questions=n)

    assert (
        footer(1, [reaching(5), reaching(0), reaching(0)], n_questions=9)
        == "1 of 3 shown, the other 2 change no answer"
    )
    said = "1 of 2 shown, the other 1 affect at most 3 saved questions"
    assert footer(1, [reaching(5), reaching(3)], n_questions=9) == said
    assert footer(2, [reaching(5), reaching(3)], n_questions=9) == "all 2 shown"
