"""A request as the inputs in a page's address, and back: what a live link carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

from docgraph.domain.overrides import edge_text, parse_edge
from docgraph.domain.request import LITERAL, MODES, RetrievalRequest, parse_request
from docgraph.errors import RequestError

QUERY, STAGE, MODE, TYPES = "query", "stage", "mode", "types"
WHERE, WHERE_FOR = "where", "where_for"
SEEDS, DOCS, PER_DOC, CHUNKS = "seeds", "docs", "per_doc", "chunks"
SIGNAL, NAMED, SCOPE, FIELD = "signal", "named", "scope", "scope_field"
EXPANDING, FAN_OUT, BUDGET, RULE = "expanding", "fan_out", "budget", "evidence"
PRESET, RELATED, NAMES, LINKED = "preset", "related", "names", "linked"
NO_EDGE, NO_TYPE, ADD_SEED, DROP_SEED = "no_edge", "no_type", "add_seed", "drop_seed"
"""Names of the inputs: their keys in the address and in the session alike."""

OFF = "off"
"""The value of a switch that is on by default."""

RUN, BASELINE, WORKSPACE, PRESENT, STEP = "run", "baseline", "workspace", "present", "step"
"""What an address may say beside a request: a frozen run, what to compare with, where, and presenter mode."""

BASE = "base"
"""What a draft on the Plan page departs from: a saved run's id, or other inputs for the same question."""

TAB = "tab"
"""The tab of the Plan page that stands open."""

PACKED = "of"
"""All inputs in one value: Streamlit drops from the address what the page that is left binds to its own inputs."""

INPUTS_MARK = "?"
"""A base or baseline that begins with it is not a name but inputs for the same question: ``?docs=5&mode=fast``."""

INPUTS = (
    QUERY,
    PRESET,
    MODE,
    TYPES,
    SEEDS,
    DOCS,
    PER_DOC,
    CHUNKS,
    SIGNAL,
    NAMED,
    SCOPE,
    FIELD,
    EXPANDING,
    FAN_OUT,
    BUDGET,
    RULE,
    RELATED,
    NAMES,
    LINKED,
    WHERE,
    WHERE_FOR,
)
"""What the inputs of a question give: names of widgets in a session and in an address alike."""

ASKED_WITH = (*INPUTS, STAGE, NO_EDGE, NO_TYPE, ADD_SEED, DROP_SEED)
"""Everything in an address that a request is made of (``inputs_of``)."""

MAX_DIGITS = 20
"""More than any number has that an address can mean."""

_DEFAULTS = RetrievalRequest(query="-")
_PLAIN = (
    ("preset", PRESET),
    ("mode", MODE),
    ("max_documents", DOCS),
    ("max_seeds", SEEDS),
    ("max_expanded", RELATED),
    ("max_chunks_per_document", PER_DOC),
    ("max_chunks", CHUNKS),
    ("seed_signal", SIGNAL),
    ("evidence_rule", RULE),
    ("scope_mode", SCOPE),
    ("scope_field", FIELD),
    ("max_expanding_seeds", EXPANDING),
    ("max_fan_out", FAN_OUT),
    ("max_linked_percent", LINKED),
    ("token_budget", BUDGET),
)
"""Fields that stand in an address as they are."""

NUMBERS = {name: f for f, name in _PLAIN if isinstance(getattr(_DEFAULTS, f), int) or f.startswith("max_")}
CHOICES = {name: f for f, name in _PLAIN if name not in NUMBERS and name != FIELD}
"""Name in an address → field of the request: whole numbers, and those that have some values alone."""


def default_documents(mode: str) -> int:
    """Documents in all when the request leaves it to the mode."""
    return (MODES["fast"] if mode == "fast" else MODES["accurate"]).max_documents


def inputs_of(request: RetrievalRequest, workspace: str = "") -> dict[str, list[str]]:
    """The inputs that reproduce a request, without those at their defaults; every value is a list of texts.

    ``[""]`` for the types means: none at all.
    """
    found: dict[str, list[str]] = {QUERY: [request.query]}
    if workspace:
        found[WORKSPACE] = [workspace]
    if not request.use_relationships:
        found[STAGE] = ["MS3"]
    for field, name in _PLAIN:
        value = getattr(request, field)
        if value != getattr(_DEFAULTS, field) and not (request.preset == "literal" and field in LITERAL):
            found[name] = [str(value)]
    if not request.find_names and request.preset != "literal":
        found[NAMES] = [OFF]
    if request.where is not None:
        found[WHERE] = list(request.where.texts)
        if request.where.applies_to != "both":
            found[WHERE_FOR] = [request.where.applies_to]
    if request.relation_types is not None:
        found[TYPES] = list(request.relation_types) or [""]
    overrides = request.overrides
    lists = {
        NAMED: request.seed_document_ids,
        NO_EDGE: tuple(map(edge_text, overrides.without_edges)),
        NO_TYPE: overrides.without_types,
        ADD_SEED: overrides.added_seed_ids,
        DROP_SEED: overrides.dropped_seed_ids,
    }
    return found | {name: list(values) for name, values in lists.items() if values}


def request_of(inputs: Mapping[str, Sequence[str]]) -> RetrievalRequest | None:
    """The request that an address asks for; ``None`` without a question. Raises RequestError for an impossible value.

    A number that is none is read as if it were not there, as the inputs of the page do.
    """
    query = _one(inputs, QUERY)
    if not (query or "").replace("\x00", "").strip():
        return None
    fields: dict[str, Any] = {"query": query, "use_relationships": _one(inputs, STAGE) != "MS3"}
    for field, name in _PLAIN:
        value = _one(inputs, name)
        if value and name not in NUMBERS:
            fields[field] = value
        elif value and value.isdecimal():
            fields[field] = int(value[:MAX_DIGITS])  # longer ones are as impossible, and Python reads none of 4,301
    if _one(inputs, NAMES) == OFF:
        fields["find_names"] = False
    if TYPES in inputs:
        fields["relation_types"] = tuple(name for name in inputs[TYPES] if name)
    fields["seed_document_ids"] = tuple(inputs.get(NAMED, ()))
    if conditions := [text for text in inputs.get(WHERE, ()) if text.strip()]:
        fields["where"] = {"conditions": conditions, "applies_to": _one(inputs, WHERE_FOR) or "both"}
    fields["overrides"] = {
        "without_types": tuple(inputs.get(NO_TYPE, ())),
        "without_edges": [parse_edge(text) for text in inputs.get(NO_EDGE, ())],
        "added_seed_ids": tuple(inputs.get(ADD_SEED, ())),
        "dropped_seed_ids": tuple(inputs.get(DROP_SEED, ())),
    }
    return parse_request(fields)


def text_of(request: RetrievalRequest) -> str:
    """A request as the name of a base or baseline for its own question: ``?docs=5``; ``?`` = all defaults."""
    inputs = {name: values for name, values in inputs_of(request).items() if name != QUERY}
    return INPUTS_MARK + urlencode(inputs, doseq=True)


def packed(inputs: Mapping[str, Sequence[str]], workspace: str) -> dict[str, list[str]]:
    """The inputs as a link from the Plan page to another one carries them; ``unpacked`` reads them again."""
    return {
        PACKED: [urlencode({name: list(values) for name, values in inputs.items()}, doseq=True)],
        WORKSPACE: [workspace],
    }


def unpacked(inputs: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The inputs of an address, with those that travel packed; the ones that stand openly go first."""
    inside = parse_qs(_one(inputs, PACKED) or "", keep_blank_values=True)
    return {**inside, **{name: values for name, values in inputs.items() if name != PACKED}}


def request_at(text: str, query: str) -> RetrievalRequest:
    """The request of ``text_of`` for a question. Raises RequestError for an impossible value."""
    inputs = parse_qs(text.removeprefix(INPUTS_MARK), keep_blank_values=True)
    found = request_of({**inputs, QUERY: [query]})
    if found is None:
        raise RequestError("a base needs a question", hint="open the link that it came from")
    return found


def _one(inputs: Mapping[str, Sequence[str]], name: str) -> str | None:
    values = inputs.get(name) or ()
    return values[-1] if values else None
