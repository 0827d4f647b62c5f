"""Golden conversations: what is understood of every turn, what is done about it, and what is remembered.

A file of ``tests/golden/conversations`` holds one conversation. ``providers`` = scripts of what providers answer (see
``tests/conversations.py``); without it the sample corpus is asked. ``options`` go to ``converse``, ``repeat`` makes a
text longer, ``times`` says it again and again (the last of those turns counts). A turn's ``expect``
holds what has to be equal, but for ``documents_include`` and ``choices_include``, which name a part.

``WRITE_GOLDEN=1`` writes what comes out into the files and fails: every change has to be read before it counts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from docgraph.bootstrap import connect
from docgraph.domain.conversation import MAX_TURNS, ConversationState, Turn, parse_state
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT
from tests.conversations import default_embedder, scripted

GOLDEN = sorted((ROOT / "tests" / "golden" / "conversations").glob("*.json"))
WRITE = bool(os.environ.get("WRITE_GOLDEN"))


@pytest.fixture(scope="module")
def harbor() -> Docgraph:
    """The sample corpus with the default embedder, in memory."""
    docgraph = connect(store="memory", workspace="harbor")
    docgraph.ingest(ROOT / "sample_data" / "harbor")
    return docgraph


def _docgraph(golden: dict[str, Any], harbor: Docgraph) -> Docgraph:
    if "providers" not in golden:
        return harbor
    return scripted(golden["providers"], health=golden.get("health"), embedder=default_embedder())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_golden_conversation_goes_as_written(path: Path, harbor: Docgraph) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    docgraph, state = _docgraph(golden, harbor), None
    options = golden.get("options", {})
    for said in golden["turns"]:
        came = None
        for _ in range(said.get("times", 1)):
            came, state = _turn(docgraph, state, said["say"] * said.get("repeat", 1), options | said.get("options", {}))
        assert came is not None
        if WRITE:
            pinned = said.get("expect") or came
            said["expect"] = {n: pinned[n] if n.endswith("_include") else came.get(n) for n in pinned}
        else:
            _compare(said["expect"], came)
    if WRITE:
        written = json.dumps(golden, indent=1, ensure_ascii=False) + "\n"
        for character in "\u202c\u202e":
            written = written.replace(character, f"\\u{ord(character):04x}")
        path.write_bytes(written.encode("utf-8", "backslashreplace"))
        pytest.fail(f"{path.name} was written: read every line of it")


def _turn(
    docgraph: Docgraph, state: ConversationState | None, text: str, options: dict[str, Any]
) -> tuple[dict[str, Any], ConversationState | None]:
    try:
        turn = docgraph.converse(state, text, **options)
    except UserError as error:
        return {"error": error.message}, state
    assert len(turn.state.turns) <= MAX_TURNS
    return _told(turn), parse_state(turn.state.model_dump_json())


def _told(turn: Turn) -> dict[str, Any]:
    """A turn in those parts that a golden conversation pins down."""
    heard = turn.understanding
    documents = [document.document_id for document in turn.state.documents]
    told = {
        "intent": heard.intent,
        "link": heard.link,
        "query": heard.query,
        "why": list(heard.why),
        "carried": list(heard.carried),
        "channel": heard.channel,
        "answers_turn": heard.answers_turn,
        "new_topic": heard.new_topic,
        "action": turn.action,
        "steps": [_step(step) for step in turn.steps],
        "documents": documents,
        "question": turn.question,
        "choices": [choice.label for choice in turn.choices],
        "choice_queries": [choice.query for choice in turn.choices],
        "reply": turn.reply.split("\n"),
        "pending": turn.state.pending,
        "n_failures": turn.state.n_failures,
    }
    kept = {"link", "query", "action", "steps", "intent"}
    return {name: value for name, value in told.items() if value not in (None, [], "", False, 0) or name in kept}


def _step(step: Any) -> str:
    ended = step.branch_code or ("" if step.done else "left")
    return f"{step.kind} {ended}".strip()


def _compare(expected: dict[str, Any], came: dict[str, Any]) -> None:
    for name, value in expected.items():
        if name.endswith("_include"):
            missing = [each for each in value if each not in came.get(name.removesuffix("_include"), [])]
            assert not missing, (name, came)
        else:
            assert came.get(name) == value, (name, came)


def test_every_golden_conversation_says_what_it_shows_and_pins_every_turn() -> None:
    assert len(GOLDEN) >= 24
    for path in GOLDEN:
        golden = json.loads(path.read_text(encoding="utf-8"))
        assert len(golden["about"]) > 20, path.name
        for said in golden["turns"]:
            assert said["expect"].get("error") or {"query", "intent", "action", "steps"} <= set(said["expect"]), (
                path.name
            )
