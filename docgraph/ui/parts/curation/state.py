"""What the sections of the Relationships page share: who edits, what the checks say, saving, what is to be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from docgraph.domain.curation import Dismissal
from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Decision, Finding
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.suggestion import Suggestion
from docgraph.errors import DocgraphError, EnvironmentProblem
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation.checks import Checking, checking_of, forget_checks, report_version
from docgraph.ui.parts.runs.saving import person_name, remember_person
from docgraph.views.relationships.findings.words import done_words, ids_in, with_titles

_MEMORY = "relationships"
_T = TypeVar("_T")

NAMED = 20
"""Relationships of a refused save whose last changes are looked up, to name them by title."""


@dataclass
class Act:
    """What one save did: an ``act`` of the history, and subjects that were dismissed; ``words`` = one sentence on it.

    ``suggestion_id`` = the suggestion that was accepted or rejected, if it was one.
    ``decision_id`` = the decision that it settled with its ``finding_ids``, if it was one, and ``remembered`` = the
    entries that say so.
    """

    words: str
    workspace: str
    act: str = ""
    dismissed: tuple[str, ...] = ()
    suggestion_id: str = ""
    decision_id: str = ""
    finding_ids: tuple[str, ...] = ()
    remembered: tuple[int, ...] = ()


@dataclass
class Memory:
    """What this session's Relationships page remembers, kept while moving between pages.

    ``by`` = the person while editing is on, ``drawn_as`` = the one that the page was drawn for last; ``problem`` = what
    the last save met, to be shown once; ``acts`` = what this person did in this session, newest last; ``said`` =
    sentences that wait to be said; ``room`` is free for a section, under its own name.
    """

    by: str = ""
    drawn_as: str = ""
    problem: DocgraphError | None = None
    acts: list[Act] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    room: dict[str, Any] = field(default_factory=dict)


def memory() -> Memory:
    """The memory of this session."""
    kept: Memory = session().page.setdefault(_MEMORY, Memory())
    return kept


# ------------------------------------------------------------ who edits


def curator() -> str:
    """The name of the person who edits; empty while editing is off."""
    who = resources.person() if memory().by else None
    return who.name if who else memory().by


def may_write(workspace: str) -> bool:
    """Whether the database lets this dashboard change the workspace at all."""
    return resources.docgraph(workspace).may_write()


def who_may_not() -> str:
    """Whose rights end here, in words: the role of the person who is signed in, or that of the connection."""
    who = resources.person()
    return f"a {who.role}" if who and not resources.may("change_relationships") else "this database role"


def locked_words(what: str = "change the workspace") -> str:
    """Why nothing can be changed here, as plain text."""
    return resources.closed(f"{who_may_not()} may not {what}")


def switch_on(name: str) -> None:
    """Editing on, as ``name``; an empty name leaves it off."""
    who = resources.person()
    memory().by = who.name if who else " ".join(name.split())[:200]
    if memory().by and who is None:
        remember_person(memory().by)


def switch_off() -> None:
    """Editing off; the name stays known for the next time."""
    memory().by = ""


def known_name() -> str:
    """The name to offer: the one that this session's reader gave before, here or when saving a run."""
    return curator() or person_name()


# ------------------------------------------------------------ what the checks say


def checking(workspace: str) -> Checking:
    """The check of the workspace as it is now, begun if nobody has; it may still run."""
    docgraph = resources.docgraph(workspace)
    return checking_of(docgraph, report_version(docgraph))


def revision(workspace: str) -> str:
    """The state of the data as they are now, places included."""
    return resources.docgraph(workspace).workspace.state


def report(workspace: str) -> CheckReport:
    """What the checks say about the workspace as it is now; waits for them. Raises DocgraphError."""
    return checking(workspace).report


def relationships(workspace: str) -> tuple[Relationship, ...]:
    """All relationships by key, read once for each state of the data."""
    docgraph = resources.docgraph(workspace)
    return _relationships(workspace, docgraph.workspace.state)


@st.cache_resource(max_entries=4, ttl="1h", show_spinner=False)
def _relationships(workspace: str, revision: str) -> tuple[Relationship, ...]:
    del revision  # part of the key only
    return tuple(sorted(resources.docgraph(workspace).relationships.list(), key=lambda edge: edge.key))


# ------------------------------------------------------------ saving


def tried(
    act: Callable[[], _T], *, named: Callable[[DocgraphError], DocgraphError] = lambda problem: problem
) -> _T | None:
    """What ``act`` returns; None when it did not work, and then ``problem`` says why."""
    try:
        done = act()
    except DocgraphError as problem:
        fail(named(problem))
        return None
    fail(None)
    return done


def worked(act: Callable[..., object], *args: Any) -> bool:
    """Do it; False when it did not work, and then ``problem`` says why."""
    return tried(lambda: (act(*args), True)) is not None


def save(
    workspace: str,
    edits: Sequence[Edit],
    *,
    reason: str = "",
    expected: Mapping[EdgeKey, str] | None = None,
    new_types: bool = False,
    words: str = "",
) -> tuple[HistoryEntry, ...] | None:
    """Do the edits as the curator and say what was done; None when it did not work, and then ``problem`` says why.

    ``words`` = what is said; empty: the first change and how many more.

    ``expected`` = the state of each relationship as it was displayed (``domain.history.edge_state``); when somebody
    else changed one meanwhile, nothing is written and the problem says who did what.
    """
    edit, keys = resources.docgraph(workspace).relationships.edit, [k for e in edits for k in (e.key, e.result)]
    entries = tried(
        lambda: edit(edits, by=curator(), reason=reason, expected=expected, new_types=new_types),
        named=lambda problem: _titled(workspace, problem, keys),
    )
    if entries is None:
        return None
    said = words or words_on(workspace, entries)
    memory().acts.append(Act(said, workspace, act=entries[0].act if entries else ""))
    say(said)
    return entries


def dismiss(
    workspace: str,
    subjects: Sequence[Finding | Suggestion],
    *,
    reason: str = "",
    words: str = "",
    decisions: Sequence[Decision] = (),
) -> tuple[Dismissal, ...] | None:
    """Put findings (these need a reason) or suggestions aside as the curator; None when it did not work.

    ``decisions`` = what the findings are ignored with.
    ``words`` = what is said about it; empty: nothing is said, because it belongs to the save before it.
    """
    rules = resources.docgraph(workspace).rules
    made = tried(lambda: rules.dismiss(subjects, by=curator(), reason=reason, decisions=decisions))
    if made is None:
        return None
    ids = tuple(each.subject_id for each in made)
    if words:
        memory().acts.append(Act(words, workspace, dismissed=ids))
        say(words)
    elif memory().acts:
        memory().acts[-1].dismissed = ids
    return made


def remember_decided(workspace: str, decision: Decision, *, finding_ids: tuple[str, ...], what: str) -> None:
    """The last act settled this decision: it counts as decided until the act is taken back."""
    act = memory().acts[-1]
    act.decision_id, act.finding_ids = decision.decision_id, finding_ids
    triage = resources.docgraph(workspace).triage
    made = tried(lambda: triage.decided([decision], what, by=curator()))  # without it, it is settled all the same
    act.remembered = tuple(each.entry_id for each in made or ())


def forget_decided(workspace: str, act: Act) -> None:
    """Reopen the findings that a change settled."""
    worked(resources.docgraph(workspace).triage.withdraw, act.remembered)


def withdraw(workspace: str, subject_ids: Sequence[str], *, words: str) -> bool:
    """Take dismissals back; False when it did not work."""
    done = worked(resources.docgraph(workspace).rules.withdraw, subject_ids)
    if done:
        say(words)
    return done


def undo(workspace: str, entry_id: int, *, reason: str = "") -> HistoryEntry | None:
    """Take one entry of the history back as the curator; None when it did not work (``problem`` says why)."""
    entry = tried(
        lambda: resources.docgraph(workspace).relationships.undo(entry_id, by=curator(), reason=reason),
        named=lambda problem: _titled(workspace, problem, _touched(workspace, entry_id)),
    )
    if entry is None:
        return None
    memory().acts = [act for act in memory().acts if act.act != str(entry_id)]
    say(words_on(workspace, (entry,)))
    return entry


def undo_act(workspace: str, act: str, *, reason: str = "", words: str = "") -> tuple[HistoryEntry, ...] | None:
    """Take back everything that one save did, as the curator; None when it did not work (``problem`` says why)."""
    first = int(act) if act.isdecimal() else 0
    entries = tried(
        lambda: resources.docgraph(workspace).relationships.undo_act(act, by=curator(), reason=reason),
        named=lambda problem: _titled(workspace, problem, _touched(workspace, first)),
    )
    if entries is None:
        return None
    memory().acts = [each for each in memory().acts if each.act != act or each.dismissed]
    say(words or words_on(workspace, entries))
    return entries


def _touched(workspace: str, entry_id: int) -> list[EdgeKey]:
    """The relationships of an entry of the history, if there is such an entry."""
    found = resources.docgraph(workspace).relationships.history(before=entry_id + 1, limit=1)
    return [key for entry in found for key in (*entry.keys, entry.edit.key)]


def _titled(workspace: str, problem: DocgraphError, keys: Sequence[EdgeKey | None]) -> DocgraphError:
    """The same problem with titles in the place of ids, as far as these relationships and their last changes go."""
    if isinstance(problem, EnvironmentProblem):
        return problem  # it names none, and the database may be away
    docgraph = resources.docgraph(workspace)
    known = [key for key in keys if key is not None]
    newest = [entry for key in known[:NAMED] for entry in docgraph.relationships.history(key=key, limit=2)]
    known += [key for entry in newest for key in (*entry.keys, entry.edit.key)]
    there = docgraph.documents.by_id(sorted({end for key in known for end in (key[0], key[2])}))
    titles = {document_id: document.title for document_id, document in there.items() if document.title}
    named = with_titles(problem.message, known, named=lambda document_id: titles.get(document_id, document_id))
    return type(problem)(named, hint=problem.hint)


def words_on(workspace: str, entries: Sequence[HistoryEntry]) -> str:
    """What these entries did, with titles."""
    there = resources.docgraph(workspace).documents.by_id(ids_in(entries))
    titles = {document_id: document.title for document_id, document in there.items() if document.title}
    return done_words(entries, named=lambda document_id: titles.get(document_id, document_id))


def fail(problem: DocgraphError | None) -> None:
    """Show this problem on the next run of the page, in the place where saves show theirs (None: nothing)."""
    memory().problem = problem


def show_problem() -> DocgraphError | None:
    """Draw what the last save met, and return it."""
    problem = memory().problem
    if problem is not None:
        layout.error(problem)
    return problem


def say(sentence: str) -> None:
    """Say in a corner what was done, with the next drawing; plain text."""
    memory().said.append(sentence)


def speak() -> None:
    """Say what is waiting to be said: a callback cannot (what it draws would land on top of the page)."""
    said = memory().said
    while said:
        st.toast(escape.label(said.pop(0), limit=200), duration="short")


def refresh() -> None:
    """Forget what was read: after a change that moves no revision and no dismissal."""
    forget_checks()
    _relationships.clear()
