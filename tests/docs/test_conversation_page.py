"""The page on conversations names every link, intent, step and limit that there is."""

from __future__ import annotations

from typing import get_args

from docgraph.conversation.follow_up import NEAR
from docgraph.conversation.intents import RULES
from docgraph.domain import conversation
from tests import ROOT

PAGE = (ROOT / "docs" / "conversation.md").read_text(encoding="utf-8")


def test_every_link_intent_and_step_is_named() -> None:
    names = {*get_args(conversation.Link), *get_args(conversation.Intent), *get_args(conversation.StepKind)}
    assert not [name for name in sorted(names - {"retrieve", "reply"}) if f"`{name}`" not in PAGE]


def test_the_intents_stand_in_the_order_in_which_ties_are_ended() -> None:
    assert sorted(RULES, key=lambda intent: PAGE.index(f"| `{intent}` |")) == list(RULES)


def test_every_module_is_named() -> None:
    modules = {path.name for path in (ROOT / "docgraph" / "conversation").glob("[!_]*.py")} - {"content_words.py"}
    assert not [name for name in sorted(modules) if f"`{name}`" not in PAGE]


def test_the_limits_are_the_ones_of_the_code() -> None:
    assert f"at most {conversation.MAX_TEXT:,} characters" in PAGE
    kept = (conversation.MAX_TURNS, conversation.MAX_TOPIC, conversation.MAX_FOCUS, conversation.MAX_KEPT)
    assert "keeps {} turns, {} topic words, {} documents and {} characters".format(*kept) in PAGE
    assert f"below {NEAR}" in PAGE
