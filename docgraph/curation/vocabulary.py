"""The relationship types of a workspace: how they are used, and the edits that merge some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from docgraph.curation.editing import reviewed
from docgraph.curation.graph import reach_of, type_vectors
from docgraph.curation.locking import nearest_words
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Rule
from docgraph.domain.graph import Relationship, Vectors
from docgraph.domain.look_alikes import LookAlike, look_alikes
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.spelling import plain
from docgraph.domain.vocabulary import DirectionUse, TypeUse, Vocabulary, most_agree
from docgraph.errors import UserError
from docgraph.ports import MENTIONS, Check, RelationshipReader, Snapshot

DocTypes = tuple[str, str]
Parameters = Mapping[str, Mapping[str, Any]]
"""check_id → the parameters of a check that is on."""


def active_parameters(checks: Sequence[Check], rules: Mapping[str, Rule]) -> dict[str, dict[str, Any]]:
    """The parameters of the checks that are on, by check_id: their defaults with those of the rules."""
    found = {}
    for check in checks:
        rule = rules.get(check.check_id, Rule())
        if rule.on:
            found[check.check_id] = {**check.parameters, **rule.parameters}
    return found


def read_vocabulary(
    snapshot: Snapshot,
    embed: Callable[[Sequence[str]], Vectors],
    *,
    parameters: Parameters,
    plans: Iterable[RetrievalPlan | None] = (),
) -> Vocabulary:
    """All types in use and those that the rules name, from one pass over the relationships of one snapshot.

    ``parameters`` of the checks that look at types; what a check that is off would say is left out. ``plans`` are those
    of the saved questions on this data, None for a question that has none.
    """
    doc_types = {document.document_id: document.doc_type for document in snapshot.documents()}
    tallies: dict[str, _Tally] = {}
    for edge in snapshot.relationships():
        tallies.setdefault(edge.relation_type, _Tally()).add(edge, doc_types)
    in_questions, n_questions = _in_questions(plans)
    known = set(parameters.get("unknown_type", {}).get("vocabulary", ()))
    counts = {name: tally.n for name, tally in sorted(tallies.items())}
    alike = _alike(counts, embed, parameters)
    inverses = _inverses(counts, parameters)
    documents = Counter(kind for kind in doc_types.values() if kind)
    workspace = snapshot.workspace
    types = [
        TypeUse(
            relation_type=name,
            n=tally.n,
            n_reviewed=tally.n_reviewed,
            n_dangling=tally.n_dangling,
            n_questions=in_questions[name],
            known=not known or name in known or name == MENTIONS,
            off=name in workspace.off_relation_types,
            reasons_only=workspace.decided.of(name).role == "reasons_only",
            look_alikes=(alike[name].other,) if name in alike else (),
            inverses=inverses.get(name, ()),
            directions=_directions(name, tally.pairs, documents, parameters.get("unusual_pair")),
        )
        for name in sorted({*tallies, *known})
        for tally in (tallies.get(name, _Tally()),)
    ]
    return Vocabulary(
        workspace=workspace.name,
        corpus_revision=workspace.revision,
        n_relationships=sum(counts.values()),
        n_questions=n_questions,
        types=tuple(sorted(types, key=lambda use: (-use.n, use.relation_type))),
    )


@dataclass
class _Tally:
    """What is counted of one type."""

    n: int = 0
    n_reviewed: int = 0
    n_dangling: int = 0
    pairs: Counter[DocTypes] = field(default_factory=Counter)

    def add(self, edge: Relationship, doc_types: Mapping[str, str]) -> None:
        self.n += 1
        self.n_reviewed += len(reviewed((edge,)))
        self.n_dangling += edge.to_document_id not in doc_types
        self.pairs[doc_types.get(edge.from_document_id, ""), doc_types.get(edge.to_document_id, "")] += 1


def _in_questions(plans: Iterable[RetrievalPlan | None]) -> tuple[Counter[str], int]:
    """Type → in how many plans it brings a document in; and how many plans there are."""
    found: Counter[str] = Counter()
    n = 0
    for plan in plans:
        if plan is not None:
            n += 1
            found.update({via for _, via, _ in reach_of(plan).fired})
    return found, n


def _alike(
    counts: Mapping[str, int], embed: Callable[[Sequence[str]], Vectors], parameters: Parameters
) -> dict[str, LookAlike]:
    mine = parameters.get("look_alike_types")
    return look_alikes(counts, type_vectors(counts, embed), mine) if mine is not None else {}


def _inverses(counts: Mapping[str, int], parameters: Parameters) -> dict[str, tuple[str, ...]]:
    """Type → the types in use that say the same from the other end, whatever their case and separators, by name."""
    spellings: dict[str, list[str]] = {}
    for name in counts:
        spellings.setdefault(plain(name), []).append(name)
    found: dict[str, set[str]] = {}
    for pair in parameters.get("inverse_missing", {}).get("inverse_pairs", ()):
        for one, other in (pair, pair[::-1]):
            for name in spellings.get(plain(one), ()):
                found.setdefault(name, set()).update(set(spellings.get(plain(other), ())) - {name})
    return {name: tuple(sorted(others)) for name, others in found.items()}


def _directions(
    name: str, pairs: Counter[DocTypes], n_documents: Mapping[str, int], unusual: Mapping[str, Any] | None
) -> tuple[DirectionUse, ...]:
    """One direction each, most frequent first; ``unusual`` = the parameters of the check of that name, None: off."""
    found = []
    for (start, end), n in pairs.items():
        n_back = pairs.get((end, start), 0) if start != end else 0
        judged = unusual is not None and name != MENTIONS and name not in unusual["loose"] and bool(start and end)
        minority = False
        if judged and unusual is not None and min(n_documents[start], n_documents[end]) >= unusual["min_documents"]:
            minority = most_agree(n_back, n - 1 + n_back, share=unusual["share"], least=unusual["min_others"])
        found.append(DirectionUse(from_doc_type=start, to_doc_type=end, n=n, n_back=n_back, is_minority=minority))
    return tuple(sorted(found, key=lambda use: (-use.n, use.from_doc_type, use.to_doc_type)))


def merging(snapshot: RelationshipReader, types: Sequence[str], into: str) -> tuple[Edit, ...]:
    """Every relationship of ``types`` as one of the type ``into``, by key, ready for one ``edit``.

    One that would stand on a relationship of that type, stored or made by an earlier edit, is removed instead.
    ``into`` need not be in use yet. Raises UserError for no types, for an unknown one, for ``into`` among them, and for
    an ``into`` that cannot be a type.
    """
    wanted = tuple(dict.fromkeys(types))
    _check(wanted, into, snapshot.relation_types())
    there = {(e.from_document_id, e.to_document_id) for e in snapshot.relationships(relation_type=into)}
    keys = sorted(edge.key for name in wanted for edge in snapshot.relationships(relation_type=name))
    return tuple(_merged(key, into, there) for key in keys)


def _check(wanted: Sequence[str], into: str, known: dict[str, int]) -> None:
    if not wanted:
        raise UserError("no relationship type to merge was named", hint="name the types to merge")
    if strange := next((name for name in wanted if name not in known), None):
        raise UserError(f"no relationship has the type {strange[:100]!r}", hint=nearest_words(strange, known))
    if into in wanted:
        raise UserError(f"{into[:100]!r} cannot be merged into itself", hint="name another type to merge into")
    try:
        Edit(action="retype", key=("a", "b", "c"), relation_type=into)
    except ValidationError:
        raise UserError(
            f"{into[:120]!r} cannot be a relation type", hint="1 to 100 characters, none of them a control character"
        ) from None


def _merged(key: EdgeKey, into: str, there: set[tuple[str, str]]) -> Edit:
    """The edit of one relationship; ``there`` = pairs that are related by ``into`` by then, and grows with it."""
    pair = (key[0], key[2])
    if pair in there:
        return Edit(action="remove", key=key)
    there.add(pair)
    return Edit(action="retype", key=key, relation_type=into)
