"""Reasons that curators give most often for an act, to be taken instead of typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from docgraph.domain.curators.dismissal import Dismissal
from docgraph.domain.edit import Action
from docgraph.domain.history import HistoryEntry
from docgraph.views.words.texts import line

OFFERED = 3
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "accept": ("the text says so", "it is intended", "checked with the author"),
    "retype": ("the text means this type", "the other type was misspelt", "one name for one meaning"),
    "flip": ("the text says it in the other direction", "it was entered in the wrong direction", "as elsewhere"),
    "fix": ("this is the intended target", "the name was misspelt", "the other one is no longer valid"),
    "remove": ("the text does not say so", "its target no longer exists", "it is stated elsewhere"),
    "ignore": ("it is intended", "it is not worth a change", "the document will be added"),
}
"""Act → what is offered while the history of the workspace has fewer reasons."""
BY_ITSELF = frozenset(("accepted as it is",))
"""Reasons that nobody wrote."""


def common_reasons(
    act: str, actions: Iterable[Action], entries: Sequence[HistoryEntry], dismissals: Sequence[Dismissal]
) -> tuple[str, ...]:
    """The three commonest for an act, the newest first among equals; written ones where there are fewer.

    ``actions`` = what the act does to relationships; findings that are ignored have their reasons in ``dismissals``.
    One save counts once, on however many relationships.
    """
    if act == "ignore":
        given = {(each.decision_id or each.subject_id): (each.at, each.reason) for each in dismissals}
    else:
        wanted = frozenset(actions)
        found = [each for each in entries if each.edit.action in wanted and each.undoes is None]
        given = {(each.act or str(each.entry_id)): (each.at, each.reason) for each in found}
    said = [(at, text) for at, reason in given.values() if (text := line(reason)) and text not in BY_ITSELF]
    counts = Counter(text for _, text in said)
    newest = {text: at for at, text in sorted(said)}
    often = sorted(sorted(counts), key=lambda text: (counts[text], newest[text]), reverse=True)
    return tuple(dict.fromkeys((*often, *WRITTEN.get(act, ()))))[:OFFERED]
