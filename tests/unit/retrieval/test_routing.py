"""Who is asked: flags, then health, then the mode, then a fixed order."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.packet import PacketRequest
from docgraph.retrieval.routing import Route, choose
from tests.unit.retrieval.parties import FakeProvider


def provider(name: str, **fields: Any) -> FakeProvider:
    """One that is never asked."""
    return FakeProvider(lambda _: [], name=name, **fields)


GRAPH, SEMANTIC = provider("graph", priority=10), provider("semantic", priority=20, stands_in_for="graph")
WORDS, MEMORY = provider("lexical", priority=30), provider("memory", priority=1, modes=("conversation",))
ALL = (WORDS, SEMANTIC, MEMORY, GRAPH)


def route(**options: Any) -> Route:
    """The route over all four."""
    decided = {name: options.pop(name, default) for name, default in (("flags", None), ("statuses", {}))}
    return choose(PacketRequest(query="x", **options), ALL, **decided)


@pytest.mark.parametrize(
    ("mode", "names"),
    [("fast", ("graph",)), ("accurate", ("graph", "lexical")), ("conversation", ("memory", "graph", "lexical"))],
)
def test_each_mode_has_its_providers_in_order_of_priority(mode: str, names: tuple[str, ...]) -> None:
    assert route(mode=mode).providers == names


def test_a_stand_in_takes_part_only_without_the_one_it_stands_in_for() -> None:
    assert route(statuses={"graph": "unavailable"}).providers == ("semantic", "lexical")
    assert route(flags={"semantic": True, "lexical": True}).providers == ("semantic", "lexical")


def test_explicit_flags_name_those_that_are_enabled_and_none_means_all() -> None:
    """``{}`` is not the same as no flags."""
    assert route(flags={}).providers == ()
    assert route(flags={}).why == "no provider is enabled"
    assert route(flags={"lexical": True, "graph": False}).providers == ("lexical",)
    assert route(flags={"stranger": True}).flags == dict.fromkeys(("memory", "graph", "semantic", "lexical"), False)


def test_a_missing_status_counts_as_available_and_a_degraded_one_only_when_nobody_is() -> None:
    assert route(statuses={"lexical": "degraded"}).providers == ("graph",)
    poor = dict.fromkeys(("graph", "semantic", "lexical"), "unavailable") | {"lexical": "degraded"}
    said = route(statuses=poor)
    assert (said.providers, said.why) == (("lexical",), "degraded, but no other is available")
    nobody = route(statuses=dict.fromkeys(("graph", "semantic", "lexical", "memory"), "unavailable"))
    assert (nobody.providers, nobody.why) == ((), "no enabled provider is available")
    assert nobody.statuses["graph"] == "unavailable"


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({"provider_override": "stranger"}, "stranger was asked for, but there is no such provider"),
        ({"provider_override": "lexical", "flags": {"graph": True}}, "lexical was asked for, but it is switched off"),
        ({"provider_override": "lexical", "statuses": {"lexical": "degraded"}}, "lexical was asked for, but it is d"),
    ],
)
def test_an_override_that_cannot_be_honoured_is_noted_and_the_usual_choice_made(
    options: dict[str, Any], note: str
) -> None:
    said = route(mode="fast", **options)
    assert said.providers == ("graph",)
    assert said.override_note.startswith(note)


def test_an_override_goes_before_the_mode() -> None:
    said = route(provider_override="memory", mode="fast")
    assert (said.providers, said.override_note, said.why) == (("memory",), "", "the request asks for memory")


def test_nobody_there_is_said() -> None:
    assert choose(PacketRequest(query="x"), (), flags=None, statuses={}).why == "there is no provider"
