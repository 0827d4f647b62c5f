"""What an evaluation comes to, in words: how sure its gain is, whether its gate holds, and the command that asks it."""

from __future__ import annotations

import re
import shlex

from docgraph.domain.baselines import LITERAL, MS3, PLAIN, TODAY
from docgraph.domain.evaluation import Change, Configuration, Difference, Evaluation
from docgraph.views.query_sets.part import Part
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.evaluation import certainty, difference_words, interval_words

CHANGE_WORDS: dict[Change, str] = {
    "improved": "improved",
    "worse": "worse",
    "equal": "equal",
    "not_judged": "not judged",
    "failed": "failed",
}
_NAMED = {"off": MS3, "on": TODAY, "vectors": PLAIN, "literal": LITERAL}
"""Configurations that the command line knows by name, and their baselines."""


def chip_words(change: Change, n: int) -> str:
    """``11 improved``, ``5 not judged``."""
    return f"{n:,} {CHANGE_WORDS[change]}"


def gain_words(difference: Difference | None) -> tuple[str, str]:
    """(``Gain +0.10, 95 % −0.01 to +0.21``, ``not settled yet``); what is not known is ``--``."""
    if difference is None or difference.mean is None:
        return f"{UNKNOWN}: no question is judged", ""
    said = difference_words(difference.mean, difference.measure)
    name = "Gain" if said.startswith("+") else "Loss" if said.startswith("−") else "Difference"
    between = f", 95 % {interval_words(difference)}" if difference.low is not None else ""
    return f"{name} {said}{between}", certainty(difference)


def asked_differs(part: Part) -> str:
    """In what A and B differ, where both are requests: ``A and B differ in one thing: relationships``."""
    a, b = part.a, part.b
    if a.source != "request" or b.source != "request":
        return ""
    if a.fields == b.fields and {a.baseline, b.baseline} == {MS3, TODAY} and not (a.edits or b.edits):
        return "A and B differ in one thing: relationships"
    if a.baseline == b.baseline and not (a.edits or b.edits):
        names = sorted(name for name in {*a.fields, *b.fields} if a.fields.get(name) != b.fields.get(name))
        return f"A and B differ in {', '.join(names)}" if names else ""
    if a.fields == b.fields and a.baseline == b.baseline:
        return f"A and B differ in {len(a.edits) + len(b.edits):,} unsaved changes"
    return ""


def command(evaluation: Evaluation, *, gate: str = "") -> str:
    """The line that asks the same on a terminal; empty where a configuration or the set has no name there."""
    named = [_option(each) for each in evaluation.configurations]
    if None in named or re.search(r"[/\\]|\.(jsonl|csv|json)$", evaluation.name.lower()):
        return ""
    words = ["docgraph", "evaluate", evaluation.name, "--workspace", evaluation.workspace]
    if [each.name for each in evaluation.configurations] != ["off", "on"]:
        words += [word for each in named for word in ("--config", str(each))]
    if gate:
        words += ["--measure", gate.rpartition("=")[0].rpartition(":")[2], "--fail-under", gate]
    return shlex.join(words)


def _option(configuration: Configuration) -> str | None:
    """How ``--config`` names it; ``None`` for what is no name there."""
    is_named = configuration.source == "request" and not configuration.fields and not configuration.edits
    return configuration.name if is_named and _NAMED.get(configuration.name) == configuration.baseline else None
