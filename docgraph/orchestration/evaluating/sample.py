"""The questions of the sample corpus: one judged set, installed once with the corpus."""

from __future__ import annotations

from docgraph.boundary.installed import SAMPLE_JUDGE, sample_questions, sample_relevant
from docgraph.domain.passages.evidence import given_evidence
from docgraph.domain.query_set import RELEVANT, JudgedQuery, QuerySet, halves
from docgraph.orchestration.evaluating.query_sets import QuerySets
from docgraph.orchestration.judgments import Judgments
from docgraph.orchestration.session import Session

SAMPLE_SET = "Sample questions"


def add_sample_questions(session: Session) -> bool:
    """Keep the set and its judgments in a workspace that has them not yet; whether the set is new.

    A set of this name stays as it is, and so does what somebody judged: doing it twice changes nothing. Raises
    EnvironmentProblem where the sample is not installed, and ForbiddenError.
    """
    Judgments(session).import_relevant(sample_relevant(), by=SAMPLE_JUDGE)
    sets = QuerySets(session)
    if any(each.name == SAMPLE_SET for each in sets.list()):
        return False
    sets.keep(sample_set(), name=SAMPLE_SET, by=SAMPLE_JUDGE)
    return True


def sample_set() -> QuerySet:
    """The questions with what the sample says of their answers; their kind is the effect that each shows."""
    made = [
        JudgedQuery(
            query_id=str(each["id"]),
            query=str(each["query"]),
            kind=effect_words(str(each.get("effect", ""))),
            grades=dict.fromkeys(map(str, each.get("relevant", ())), RELEVANT),
            evidence=given_evidence(each.get("evidence")),
        )
        for each in sample_questions()
    ]
    split = halves(tuple(each.query_id for each in made), tuple(each.kind for each in made))
    queries = (each.model_copy(update={"half": half}) for each, half in zip(made, split, strict=True))
    return QuerySet(name=SAMPLE_SET, queries=tuple(queries))


_NAMES = {
    "cap cut": "Left out by limit",
    "conflict superseded": "Successor added",
    "nothing to expand": "Nothing to follow",
}
"""Effects whose name in the file is not the one on screens."""


def effect_words(effect: str) -> str:
    """``evidence_added`` as a person reads it: ``Evidence added``."""
    words = effect.replace("_", " ").replace("-", " ").strip()
    return _NAMES.get(words, words[:1].upper() + words[1:])
