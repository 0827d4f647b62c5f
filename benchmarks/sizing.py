"""How many servers a corpus needs: a cost model over measured constants, as the table of docs/scaling.md.

python -m benchmarks.sizing                  # the table from benchmarks/sizing.json
python -m benchmarks.sizing constants.json   # from figures of your own
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONSTANTS = Path(__file__).with_name("sizing.json")
SIZES = tuple(10**power for power in range(4, 10))


@dataclass(frozen=True)
class Sizing:
    """What a corpus of ``chunks`` asks for: bytes, milliseconds of one exact plan on one core, and servers."""

    chunks: int
    n_bytes: int
    mean_ms: float
    hybrid_ms: float
    servers: int
    cluster_ms: float
    import_hours: float


def sized(chunks: int, constants: Mapping[str, Any]) -> Sizing:
    """The least servers on which data fit into half the memory and an exact plan by ``mean`` meets the goal.

    Ranking is linear in chunks and divides among the cores of a cluster; one server ranks on one core.
    """
    mean, hybrid = (chunks / 1000 * constants["plan_ms_per_1000_chunks"][name] for name in ("mean", "hybrid"))
    n_bytes = chunks * constants["bytes_per_chunk"]
    server, surplus = constants["server"], constants["cluster_surplus_ms"]["mean"]
    by_memory = math.ceil(n_bytes / (server["memory_gb"] * 1e9 / 2))
    by_time = (
        1 if mean <= constants["goal_ms"] else math.ceil(mean / (constants["goal_ms"] - surplus) / server["cores"])
    )
    servers = max(by_memory, by_time)
    is_cluster = servers > 1 or mean > constants["goal_ms"]
    write = constants["write_ms_per_chunk"] * (constants["cluster_write_ratio"] if is_cluster else 1)
    return Sizing(
        chunks=chunks,
        n_bytes=n_bytes,
        mean_ms=mean,
        hybrid_ms=hybrid,
        servers=servers,
        cluster_ms=mean / servers / server["cores"] + surplus if is_cluster else mean,
        import_hours=chunks * write / 3_600_000,
    )


def table(constants: Mapping[str, Any]) -> str:
    """The sizes as Markdown."""
    goal = constants["goal_ms"]
    lines = [
        "| chunks | on disk | plan by mean, 1 core | by hybrid, 1 core | servers | plan there | import, one writer |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in (sized(chunks, constants) for chunks in SIZES):
        servers = "1" if each.servers == 1 and each.mean_ms <= goal else f"coordinator + {each.servers}"
        hours = f"{each.import_hours:,.1f} h"
        lines.append(
            f"| {each.chunks:,} | {each.n_bytes / 1e9:,.1f} GB | {each.mean_ms / 1000:,.1f} s | "
            f"{each.hybrid_ms / 1000:,.1f} s | {servers} | {each.cluster_ms / 1000:,.2f} s | {hours} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CONSTANTS
    print(table(json.loads(path.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main()
