"""Edits in PostgreSQL and from the command line: nothing half, nothing lost, and one line for what cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

import docgraph
from docgraph import Document, Relationship
from docgraph.domain.edit import Edit
from docgraph.domain.history import HistoryEntry
from docgraph.errors import ConflictError, StoreError
from tests.integration.commands import Command, said

KEY = ("a", "explains", "b")
ACCEPT = Edit(action="accept", key=KEY)
FLIP = Edit(action="flip", key=KEY)
REMOVE = Edit(action="remove", key=KEY)


@pytest.fixture
def url(new_database_url: str) -> str:
    """A database with a workspace ``w``."""
    with docgraph.connect(new_database_url, workspace="w") as dg:
        documents = [Document(document_id=i, title=i, text=f"The queue of {i} is bounded.") for i in "abc"]
        dg.ingest_records(documents, [Relationship(from_document_id="a", relation_type="explains", to_document_id="b")])
    return new_database_url


def test_edits_and_their_history_are_there_for_the_next_process_and_lead_back(url: str) -> None:
    with docgraph.connect(url, workspace="w") as dg:
        before, start = list(dg.relationships.list()), dg.workspace
        first = dg.relationships.edit([ACCEPT, FLIP], by="Ann", reason="ends\nwere “swapped”")
        assert [edge.key for edge in dg.relationships.list()] == [("b", "explains", "a")]
    with docgraph.connect(url, workspace="w") as dg:
        assert dg.relationships.history() == first[::-1]
        dg.relationships.undo(2, by="Ben")
        dg.relationships.undo(1, by="Ben")
        assert (list(dg.relationships.list()), dg.workspace) == (before, start)
        assert [(e.entry_id, e.undoes, e.undone_by) for e in dg.relationships.history()] == [
            (4, 1, None),
            (3, 2, None),
            (2, None, 3),
            (1, None, 4),
        ]


def test_a_history_that_cannot_be_written_leaves_the_relationships_as_they_were(url: str) -> None:
    """The relationship is changed first; its entry is refused by the database."""
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("ALTER TABLE docgraph.relationship_history ADD CHECK (by <> 'Eve')")
    with docgraph.connect(url, workspace="w") as dg:
        before, start = list(dg.relationships.list()), dg.workspace
        with pytest.raises(StoreError):
            dg.relationships.edit([REMOVE], by="Eve")
        assert (list(dg.relationships.list()), dg.workspace, dg.relationships.history()) == (before, start, ())
        assert dg.relationships.edit([REMOVE], by="Ann")[0].entry_id == 1


_KILLED = """
import os, signal, sys
import docgraph
from docgraph.domain.edit import Edit
from docgraph.plugins.stores.postgres import history as _pg_history

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

_pg_history._row = die  # the relationship is changed, its entry is not written
with docgraph.connect(sys.argv[1], workspace="w") as dg:
    dg.relationships.edit([Edit(action="remove", key=("a", "explains", "b"))], by="me")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill so")
def test_a_program_killed_between_the_change_and_its_entry_leaves_neither(url: str) -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED, url], check=False, timeout=240, env={**os.environ})
    assert killed.returncode == -signal.SIGKILL
    with docgraph.connect(url, workspace="w") as dg:
        assert [edge.key for edge in dg.relationships.list()] == [KEY]
        assert dg.relationships.history() == ()
        dg.relationships.edit([REMOVE], by="me")


_KILLED_IMPORT = """
import os, signal, sys
import docgraph
from docgraph import Document, Relationship
from docgraph.plugins.stores.postgres import writing as _writing

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(_writing, sys.argv[2], die)
with docgraph.connect(sys.argv[1], workspace="w") as dg:
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
    dg.ingest_records([Document(document_id="a", title="a", text="Another text.")], [edge])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill so")
@pytest.mark.parametrize("place", ["decide", "put_contested", "moved"])
def test_a_program_killed_in_an_import_that_meets_a_decision_leaves_decision_and_documents_whole(
    url: str, place: str
) -> None:
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="b")
    with docgraph.connect(url, workspace="w") as dg:
        dg.relationships.edit([REMOVE], by="me")
        dg.ingest_records([Document(document_id="a", title="a", text="Its text.")], [edge])
        before = (dg.relationships.history(), dg.rules.contested(), list(dg.relationships.list()), dg.workspace)
        assert [each.relationship.key for each in before[1]] == [KEY]
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED_IMPORT, url, place], check=False, timeout=240, env={**os.environ}
    )
    assert killed.returncode == -signal.SIGKILL
    with docgraph.connect(url, workspace="w") as dg:
        assert (dg.relationships.history(), dg.rules.contested(), list(dg.relationships.list()), dg.workspace) == before
        dg.ingest_records([Document(document_id="a", title="a", text="Another text.")], [edge])
        assert (list(dg.relationships.list()), len(dg.rules.contested())) == ([], 1)


def test_of_two_curators_the_second_is_told_what_changed(url: str) -> None:
    with docgraph.connect(url, workspace="w") as ann, docgraph.connect(url, workspace="w") as ben:
        (would,) = ben.relationships.edit([ACCEPT], by="Ben", dry_run=True)  # what Ben looks at
        ann.relationships.edit([ACCEPT], by="Ann")
        stale = docgraph.ports.EdgeChange(would.edit, would.before, would.after)
        with pytest.raises(ConflictError, match=r"another review now \(accepted by Ann\)"):
            ben.session.store().change_relationships([stale], at="now", by="Ben", reason="")
        assert [entry.by for entry in ben.relationships.history()] == ["Ann"]


# ---------------------------------------------------------------- the command line


@pytest.fixture
def added(command: Command) -> Iterator[None]:
    """The relationship at ``KEY`` in the workspace of the command line, and no history but its own."""
    code, _, err = command("edit", "add", *KEY, "--by", "me", "--reason", "a test", "--new-type")
    assert code == 0, err
    yield
    with docgraph.connect(workspace="w", settings=None) as dg:
        for edge in list(dg.relationships.list()):
            dg.relationships.remove(edge.key)


def entries(command: Command, *arguments: str) -> list[dict[str, Any]]:
    code, out, err = command(*arguments, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["workspace"] == "w"
    listed: list[dict[str, Any]] = found["entries"]
    assert all(list(entry) == list(HistoryEntry.model_fields) for entry in listed)
    return listed


@pytest.mark.usefixtures("added")
def test_each_edit_has_a_command_and_an_entry(command: Command) -> None:
    [accepted] = entries(command, "edit", "accept", *KEY, "--by", "Ann", "--reason", "read both")
    assert (accepted["by"], accepted["reason"], accepted["edit"]["action"]) == ("Ann", "read both", "accept")
    assert accepted["after"]["relationship_metadata"]["review"]["reviewed_by"] == "Ann"
    code, out, _ = command("edit", "retype", *KEY, "cites", "--new-type", "--by", "Ann")
    assert (code, out) == (0, f"{accepted['entry_id'] + 1}  changed the type of a —explains→ b to a —cites→ b\n")
    code, out, _ = command("edit", "flip", "a", "cites", "b", "--by", "Ann")
    assert out.endswith("reversed a —cites→ b to b —cites→ a\n")
    code, out, _ = command("edit", "retarget", "b", "cites", "a", "c", "--by", "Ann")
    assert out.endswith("changed the target of b —cites→ a to b —cites→ c\n")
    [would] = entries(command, "edit", "remove", "b", "cites", "c", "--by", "Ann", "--dry-run")
    assert (would["entry_id"], would["after"]) == (0, None)
    code, out, _ = command("edit", "remove", "b", "cites", "c", "--by", "Ann", "--dry-run")
    assert (code, out) == (0, "would be: removed b —cites→ c\nNothing was written.\n")
    [removed] = entries(command, "edit", "remove", "b", "cites", "c", "--by", "Ann")
    listed = entries(command, "history")
    assert [entry["edit"]["action"] for entry in listed[:6]] == [
        "remove",
        "retarget",
        "flip",
        "retype",
        "accept",
        "add",
    ]
    assert listed[0] == removed
    assert entries(command, "history", "--document", "c", "--limit", "1") == [removed]
    assert entries(command, "history", "--before", str(removed["entry_id"]), "-n", "1") == listed[1:2]


@pytest.mark.usefixtures("added")
def test_undo_takes_back_one_entry_and_names_what_blocks_it(command: Command) -> None:
    [first] = entries(command, "history", "--limit", "1")
    [second] = entries(command, "edit", "accept", *KEY, "--by", "Ann")
    number, later = str(first["entry_id"]), str(second["entry_id"])
    code, out, err = command("undo", number, "--by", "Ben")
    assert (code, out) == (1, "")
    message, hint = said(err)
    assert message == f"entry {number} cannot be undone: later changes depend on it: {later} (accept, a —explains→ b)"
    assert hint == f"undo entry {later} first"
    [undone] = entries(command, "undo", later, "--by", "Ben", "--reason", "too fast")
    assert (undone["undoes"], undone["by"], undone["reason"]) == (second["entry_id"], "Ben", "too fast")
    code, out, _ = command("undo", number, "--by", "Ben")
    assert out.endswith(f"undid {number}: removed a —explains→ b\n")
    code, _, err = command("undo", number, "--by", "Ben")
    assert (code, "already undone" in said(err)[0]) == (1, True)
    _, out, _ = command("history", "--limit", "4")
    words = ("undid", "withdrew a review of", "accepted a —explains→ b", "added a —explains→ b", "--before")
    flat = " ".join(out.split())  # whatever the width of the terminal
    assert all(word in flat for word in words)


@pytest.mark.usefixtures("added")
def test_an_act_is_taken_back_whole_and_shown_before(command: Command) -> None:
    [first] = entries(command, "history", "--limit", "1")
    act = str(first["entry_id"])
    assert first["act"] == act
    [would] = entries(command, "undo", "--act", act, "--by", "Ben", "--dry-run")
    assert (would["entry_id"], would["undoes"]) == (0, first["entry_id"])
    code, out, _ = command("undo", act, "--by", "Ben", "--dry-run")
    assert (code, out) == (0, f"would be: undid {act}: removed a —explains→ b\nNothing was written.\n")
    assert entries(command, "history", "--limit", "1") == [first]
    code, out, _ = command("undo", "--act", act, "--by", "Ben")
    assert (code, out.split("  ", 1)[1]) == (0, f"undid {act}: removed a —explains→ b\n")


REFUSED: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("edit", "accept", "a", "explains", "c"), 1, "there is no relationship a —explains→ c"),
    (("edit", "add", *KEY), 1, "a —explains→ b already exists"),
    (("edit", "add", "x", "explains", "b"), 1, "no document 'x'"),
    (("edit", "add", "a", "explians", "c"), 1, "the vocabulary has no type 'explians'"),
    (("edit", "retype", *KEY, "unheard"), 1, "the vocabulary has no type 'unheard'"),
    (("edit", "retype", *KEY), 1, "lacks the new type"),
    (("edit", "retarget", *KEY), 1, "lacks the new target"),
    (("edit", "remove", *KEY, "c"), 1, "does not take 'c'"),
    (("edit", "retype", *KEY, "explains"), 1, "does not change"),
    (("edit", "accept", "a\x07", "explains", "b"), 1, "should match"),
    (("edit", "accept", *KEY, "--by", " "), 1, "needs a name"),
    (("edit", "accept", *KEY, "--reason", "x" * 2_001), 1, "2,001 characters"),
    (("edit", "burn", *KEY), 2, "burn"),
    (("undo", "0"), 1, "no entry 0"),
    (("undo", "99999999999999999999999"), 1, "no entry 99999999999999999999999"),
    (("undo", "first"), 2, "ENTRY"),
    (("undo",), 1, "nothing to undo was named"),
    (("undo", "1", "--act", "1"), 1, "cannot be combined"),
    (("undo", "--act", "999999"), 1, "nothing left to undo of act '999999'"),
)


@pytest.mark.usefixtures("added")
def test_what_cannot_be_is_one_line_and_leaves_no_entry(command: Command) -> None:
    before = entries(command, "history", "--limit", "1")
    for arguments, code, message in REFUSED:
        found, out, err = command(*arguments)
        assert (found, out) == (code, ""), arguments
        assert message in said(err)[0]
    assert entries(command, "history", "--limit", "1") == before
