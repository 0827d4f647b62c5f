"""Plan files as they must not be: a good plan, mutated in many ways; run by ``bounded``, it says how each is read."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.errors import PlanError
from docgraph.plugins.stores import memory
from tests.survive.workspaces import DOCUMENTS, EDGE, OTHER, REQUEST, opened

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    2,
    10**400,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "zz",
    "\ud800",
    "\x00",
    "x" * 50_000,
    [],
    {},
    [[]] * 1_000,
)


@cache
def good() -> RetrievalPlan:
    """A plan with a seed and two documents that came in over relationships."""
    dg = opened(memory.build())
    dg.ingest_records(DOCUMENTS, [EDGE, OTHER])
    return dg.plan(REQUEST)


def warm_up() -> None:
    """Make what every piece needs."""
    parse_plan(good().model_dump_json())


def mutated(seed: str) -> bytes:
    """The plan, changed in one to three ways."""
    rng = random.Random(seed)
    data = good().model_dump_json().encode()
    kind = rng.randrange(8)
    if kind == 0:
        return data[: rng.randrange(len(data))]
    if kind == 1:
        torn = bytearray(data)
        for _ in range(rng.randrange(1, 9)):
            torn[rng.randrange(len(torn))] = rng.randrange(256)
        return bytes(torn)
    if kind == 2:
        return _deep(rng)
    if kind == 3:
        return _twice(rng, data)
    plan = json.loads(data)
    for _ in range(rng.randrange(1, 4)):
        _change(rng, plan)
    return json.dumps(plan).encode()


def _deep(rng: random.Random) -> bytes:
    depth = rng.choice([50, 1_000, 10_000, 100_000])
    inside = rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
    whole = inside[0] * depth + b"1" + inside[1] * depth
    return whole if rng.random() < 0.5 else good().model_dump_json().encode()[:-1] + b',"metadata":' + whole + b"}"


def _twice(rng: random.Random, data: bytes) -> bytes:
    """A key twice: which of the two counts must not matter, because the content is sealed."""
    plan = json.loads(data)
    key = rng.choice(list(plan))
    value = rng.choice([plan[key], *VALUES])
    return data[:-1] + b"," + json.dumps({key: value}).encode()[1:]


def _change(rng: random.Random, plan: dict[str, Any]) -> None:
    target: Any = plan
    while isinstance(target, (dict, list)) and target:
        key = rng.choice(list(target) if isinstance(target, dict) else range(len(target)))
        inside = target[key]
        if not (isinstance(inside, (dict, list)) and inside) or rng.random() < 0.3:
            break
        target = inside
    ways = rng.randrange(6)
    if ways == 0 and isinstance(target, dict):
        target.pop(key)
    elif ways == 1 and isinstance(target, dict):
        target[rng.choice(["zzz", "traversal_enabled", "max_relationship_depth", "__class__", "a\nb"])] = rng.choice(
            VALUES
        )
    elif ways == 2 and isinstance(inside, str):
        target[key] = rng.choice(["a", "b", "c", "d", "nobody", inside + " "])
    elif ways == 3:
        given = plan.get("constraints")
        plan["constraints"] = {
            **(given if isinstance(given, dict) else {}),
            "max_relationship_depth": rng.choice([2, 0, 99, -1]),
        }
    else:
        target[key] = rng.choice(VALUES)


def read(seed: str) -> str:
    """``equal``, or the one line of a PlanError; anything else is a fault."""
    try:
        found = parse_plan(mutated(seed))
    except PlanError as error:
        return "two lines" if "\n" in str(error) or len(str(error)) > 1_000 else "refused"
    return "equal" if found == good() else "another plan"
