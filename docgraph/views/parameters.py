"""What an address asks for that no page knows or that cannot be: said in a sentence each, with the nearest name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import get_args

from docgraph.domain.request import RetrievalRequest
from docgraph.views.words import address
from docgraph.views.words.texts import excerpt

KNOWN = frozenset(
    {
        *(*address.ASKED_WITH, address.BASE, address.PACKED),
        *(address.RUN, address.BASELINE, address.WORKSPACE, address.PRESENT, address.STEP, address.TAB),
        *("anyway", "b", "changes", "details", "display", "edits", "order", "rows", "view"),  # Plan and Compare
        *("ask", "everywhere", "find", "in", "only"),  # Conversation, Questions
        *("by", "change", "class", "edge", "evaluation", "gate", "group", "half", "question", "set"),  # query sets
        *("at", "check", "dangling", "direction", "documents", "entry", "finding", "holes", "owner"),  # Relationships
        *("panel", "part", "reviewed", "source", "suggestion", "type", "who", "whose", "why"),
        *("chunk", "doc_type", "document", "filter", "person", "relation", "show", "sign_in"),  # Library
    }
)
"""What any page reads from an address: a name that another page knows is no mistake of the one who asks."""

TABS = {
    "plan": ("Passages", "Table"),
    "query_sets": ("questions", "edges", "judge", "history"),
    "relationships": ("review", "all", "types", "history"),
    "library": ("documents", "import", "health", "changes", "limits", "embedder", "backup", "workspaces", "people"),
}
"""Page → values of ``tab``; another page's is no mistake either, because places have moved between pages."""

FORMER_TABS = frozenset(
    {
        *("Evidence", "Context", "Plan JSON", "Trace"),
        *("findings", "edges", "vocabulary", "suggestions", "exchange", "relationships"),
    }
)
"""Values that stand in addresses which people kept: they open what holds it now."""

MAX_TOLD, MAX_NAMES, LIKE = 5, 200, 0.6
MAX_NAME, MAX_VALUE = 40, 60


@dataclass(frozen=True)
class Complaint:
    """A parameter that is not followed: its name, one value, what is wrong (a whole sentence), the name that is meant.

    All of it is text on one line, shortened; none of it is escaped.
    """

    name: str
    value: str
    said: str
    meant: str = ""


def complaints(page: str, asked: Mapping[str, Sequence[str]]) -> tuple[Complaint, ...]:
    """What is wrong with an address of ``page``, in its own order; of many names the first ``MAX_NAMES`` are read."""
    found = (_complaint(page, name, values) for name, values in list(asked.items())[:MAX_NAMES])
    return tuple(each for each in found if each is not None)


def followed(page: str, asked: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """``asked`` without the parameters that are complained of: what a page reads as if they were not there."""
    left_out = {each for each in asked if _complaint(page, each, asked[each]) is not None}
    return {name: values for name, values in asked.items() if name not in left_out}


def _complaint(page: str, name: str, values: Sequence[str]) -> Complaint | None:
    value = next(iter(values), "")
    if name not in KNOWN:
        meant = next(iter(get_close_matches(name[:MAX_NAME].lower(), sorted(KNOWN), n=1, cutoff=LIKE)), "")
        if not meant and name.lower() in ("q", "question", "search", "text"):
            meant = address.QUERY
        return _told(name, value, "is ignored: no page reads that name", meant)
    for value in filter(None, values):
        if wrong := _wrong(page, name, value):
            return _told(name, value, f"is not followed: {wrong}")
    return None


def _wrong(page: str, name: str, value: str) -> str:
    """What is wrong with a value; empty where it can be, or where only the page knows."""
    if name in address.NUMBERS:
        low, high = _bounds(address.NUMBERS[name])
        possible = value.isdecimal() and len(value) <= address.MAX_DIGITS and low <= int(value) <= high
        return "" if possible else f"{name} is a whole number from {low:,} to {high:,}"
    if name in address.CHOICES:
        return _not_one_of(name, value, get_args(RetrievalRequest.model_fields[address.CHOICES[name]].annotation))
    if name == address.STAGE:
        return _not_one_of(name, value, ("MS3", "MS5"))
    if name == address.TAB and page in TABS and value not in FORMER_TABS.union(*TABS.values()):
        return _not_one_of(name, value, TABS[page])
    return ""


def _not_one_of(name: str, value: str, choices: Sequence[str]) -> str:
    if value in choices:
        return ""
    near = get_close_matches(value[:MAX_VALUE], choices, n=1, cutoff=LIKE)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{name} is {', '.join(choices[:-1])} or {choices[-1]}{meant}"


def _bounds(field: str) -> tuple[int, int]:
    rules = RetrievalRequest.model_fields[field].metadata
    return (
        next(rule.ge for rule in rules if getattr(rule, "ge", None) is not None),
        next(rule.le for rule in rules if getattr(rule, "le", None) is not None),
    )


def _told(name: str, value: str, wrong: str, meant: str = "") -> Complaint:
    name, value = excerpt(name, MAX_NAME), excerpt(value, MAX_VALUE)
    asked = f"{name}={value}" if value else name
    proposed = f"; did you mean {meant}?" if meant else ""
    sentence = f"“{asked}” {wrong}{proposed}"
    return Complaint(name, value, sentence if sentence.endswith("?") else f"{sentence}.", meant)
