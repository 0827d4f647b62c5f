"""The planner's rules one by one, on corpora small enough to read."""

from __future__ import annotations

import pytest

from docgraph.domain.request import RetrievalRequest
from docgraph.errors import NotFoundError
from docgraph.planning.limits import decide_limits
from tests.corpora import Corpus, corpus, plan_of

CHAIN = corpus(
    ("a", ["queue " * 12], [("explains", "b")]),
    ("b", ["payment slot"], [("explains", "c")]),
    ("c", ["alarm sailing"], [("explains", "a")]),
    ("d", ["queue budget alarm"], []),
    ("e", ["queue hold"], []),
)


def request(**fields: object) -> RetrievalRequest:
    return RetrievalRequest.model_validate({"query": "queue", "seed_signal": "chunk", **fields})


def ids(corpus_: Corpus, **fields: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    with corpus_.reading() as snapshot:
        plan = plan_of(request(**fields), snapshot)
    return plan.seed_document_ids, plan.expanded_document_ids


@pytest.mark.parametrize(
    ("mode", "documents", "expanded", "seeds", "expanding"),
    [
        ("accurate", None, 2, 4, 3),
        ("accurate", 5, 2, 3, 3),
        ("accurate", 8, 3, 5, 3),
        ("accurate", 2, 1, 1, 1),
        ("accurate", 1, 0, 1, 1),
        ("fast", None, 1, 4, 1),
        ("fast", 10, 2, 8, 1),
    ],
)
def test_forty_percent_of_the_places_are_kept_for_related_documents(
    mode: str, documents: int | None, expanded: int, seeds: int, expanding: int
) -> None:
    limits = decide_limits(request(mode=mode, max_documents=documents))
    assert (limits.max_expanded, limits.max_seeds, limits.max_expanding_seeds) == (expanded, seeds, expanding)


def test_a_second_hop_is_never_taken() -> None:
    seeds, expanded = ids(CHAIN, max_documents=2)
    assert (seeds, expanded) == (("a",), ("b",))
    assert "c" not in seeds + expanded


def test_an_incoming_relationship_brings_nobody_in() -> None:
    seeds, expanded = ids(CHAIN, seed_document_ids=("b",), max_documents=2)
    assert (seeds, expanded) == (("b",), ("c",))


def test_a_type_that_is_switched_off_is_not_followed() -> None:
    assert ids(CHAIN, max_documents=2, relation_types=("implements",))[1] == ()


def test_free_places_go_back_to_the_next_seeds() -> None:
    seeds, expanded = ids(CHAIN, max_documents=4)
    assert expanded == ("b",)
    assert len(seeds) == 3


def test_a_document_that_is_a_seed_already_stays_a_seed_and_keeps_its_reason() -> None:
    two = corpus(
        ("a", ["queue"], [("explains", "b"), ("explains", "c")]),
        ("b", ["queue"], []),
        ("c", ["payment"], []),
    )
    with two.reading() as snapshot:
        plan = plan_of(request(max_documents=3), snapshot)
    assert plan.seed_document_ids == ("a", "b")
    assert [(r.via, r.from_document_id) for r in plan.seed_documents[1].reasons] == [("explains", "a")]
    assert plan.expanded_document_ids == ("c",)


def test_a_neighbour_takes_the_place_of_the_first_seed_that_reaches_it_not_of_its_own_similarity() -> None:
    """A far neighbour of the first seed comes before a near neighbour of the second."""
    world = corpus(
        ("a", ["queue"], [("explains", "far")]),
        ("b", ["queue retry"], [("explains", "near")]),
        ("far", ["payment slot alarm"], []),
        ("near", ["queue payment slot alarm sailing"], []),
    )
    with world.reading() as snapshot:
        plan = plan_of(request(max_documents=4, max_expanded=2), snapshot)
    assert plan.expanded_document_ids == ("far", "near")
    assert plan.expanded_documents[0].score < plan.expanded_documents[1].score


def test_what_the_limits_cut_is_named_with_the_place_it_would_have_had() -> None:
    hub = corpus(
        ("hub", ["queue"], [("explains", f"n{i}") for i in range(5)]),
        *((f"n{i}", ["payment"], []) for i in range(5)),
    )
    with hub.reading() as snapshot:
        plan = plan_of(request(max_documents=3, max_expanded=2), snapshot)
    assert plan.expanded_document_ids == ("n0", "n1")
    cuts = {c.document_id: (c.limit, c.value, c.place) for c in plan.cut}
    assert cuts == {"n2": ("max_expanded", 2, 4), "n3": ("max_fan_out", 3, None), "n4": ("max_fan_out", 3, None)}
    assert {(t.limit, t.kept, t.total) for t in plan.cut_totals} == {("max_expanded", 2, 3), ("max_fan_out", 2, 4)}


def test_a_missing_target_is_named_and_never_planned() -> None:
    dangling = corpus(("a", ["queue"], [("explains", "gone"), ("explains", "b")]), ("b", ["slot"], []))
    with dangling.reading() as snapshot:
        plan = plan_of(request(max_documents=2), snapshot)
    assert plan.document_ids == ("a", "b")
    assert [(c.document_id, c.limit) for c in plan.cut] == [("gone", "missing_document")]


def test_edges_beyond_the_read_limit_are_counted() -> None:
    hub = corpus(
        ("hub", ["queue"], [("explains", f"gone-{i:03}") for i in range(205)] + [("implements", "b")]),
        ("b", ["slot"], []),
    )
    with hub.reading() as snapshot:
        plan = plan_of(request(max_documents=2, relation_types=("implements", "explains")), snapshot)
    total = next(t for t in plan.cut_totals if t.limit == "max_edges_per_seed") if plan.cut_totals else None
    assert total is not None
    assert (total.kept, total.total) == (200, 206)


def test_named_seeds_are_the_only_seeds_in_the_order_they_were_named() -> None:
    assert ids(CHAIN, seed_document_ids=("e", "b", "d")) == (("e", "b", "d"), ("c",))


def test_a_named_seed_brings_its_related_document_even_when_that_one_ranks_high_itself() -> None:
    """The ranking chooses no seed when seeds are named, so it cannot take the related document's place."""
    world = corpus(("old", ["slot"], [("superseded_by", "new")]), ("new", ["queue"], []), ("c", ["queue hold"], []))
    assert ids(world, seed_document_ids=("old",)) == (("old",), ("new",))


def test_an_unknown_seed_is_refused_by_name() -> None:
    with CHAIN.reading() as snapshot, pytest.raises(NotFoundError, match="'nobody'"):
        plan_of(request(seed_document_ids=("nobody",)), snapshot)


def test_named_seeds_without_relationships_stay_the_only_documents() -> None:
    seeds, expanded = ids(CHAIN, seed_document_ids=("d",))
    assert (seeds, expanded) == (("d",), ())


def test_a_type_that_the_workspace_has_off_is_followed_only_when_the_request_names_it() -> None:
    from docgraph.planning.planner import make_plan
    from docgraph.plugins.stores import memory
    from tests.corpora import EMBEDDER, probe

    store = memory.build().create_workspace("off", EMBEDDER.info)
    store.write(CHAIN.documents)
    store.set_off_relation_types(["explains"])
    with store.reading() as snapshot:
        off = make_plan(request(max_documents=2), probe("queue"), snapshot)
        named = make_plan(request(max_documents=2, relation_types=("explains",)), probe("queue"), snapshot)
    assert off.expanded_document_ids == ()
    assert off.constraints.relation_types == ()
    assert named.expanded_document_ids == ("b",)


def test_the_dominant_scope_is_a_label_unless_it_is_made_a_filter() -> None:
    from tests.builders import prepared
    from tests.corpora import EMBEDDER

    mixed = Corpus(
        tuple(
            prepared(i, [text], doc_type=kind, embedder=EMBEDDER)
            for i, text, kind in [
                ("a", "queue", "decision"),
                ("b", "queue hold", "decision"),
                ("c", "queue queue hold", "design"),
                ("d", "payment", "decision"),
            ]
        )
    )
    with mixed.reading() as snapshot:
        label = plan_of(request(), snapshot)
        only = plan_of(request(scope_mode="filter", scope_field="doc_type"), snapshot)
    assert (label.scope.field, label.scope.value, label.scope.n_inside) == ("doc_type", "decision", 3)
    assert "c" in label.document_ids
    assert "c" not in only.document_ids
    assert set(only.document_ids) == {"a", "b", "d"}
