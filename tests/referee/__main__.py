"""``python -m tests.referee FOLDER --dialect mkdocs``: a folder; ``--repositories ROOT``: the table of all."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.referee.compare import Compared, compared, repositories
from tests.referee.count import DIALECTS

_SHOWN = 20


def main() -> int:
    """Count, import, compare; 1 where something that was counted is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.referee", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--dialect", action="append", choices=sorted(DIALECTS), default=[])
    parser.add_argument("--ends", choices=("source", "id"), default="source", help="what pairs are made of")
    parser.add_argument("--repositories", type=Path, metavar="ROOT", help="where the public repositories lie")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.repositories is not None:
        return _table(given.repositories)
    if given.folder is None or not given.dialect:
        parser.error("a folder and a --dialect, or --repositories ROOT")
    found = compared(given.folder, *given.dialect, ends=given.ends)
    if given.json:
        told = {name: sorted(getattr(found, name)) for name in ("counted", "found", "missed", "extra")}
        print(json.dumps({**told, "seconds": round(found.seconds, 1)}, indent=1))
    else:
        _show(found)
    return int(bool(found.missed))


def _show(found: Compared) -> None:
    print(
        f"{len(found.counted):,} pairs counted, {len(found.found):,} found ({found.share:.1%}), {found.seconds:.1f} s"
    )
    for name in ("missed", "extra"):
        pairs = sorted(getattr(found, name))
        print(f"{len(pairs):,} {name}")
        for source, target in pairs[:_SHOWN]:
            print(f"  {source} -> {target}")


def _table(root: Path) -> int:
    print("| repository | pairs counted | found | missed | beyond the count | seconds |\n|---|---|---|---|---|---|")
    lacking = 0
    for each in repositories():
        if not (root / each.folder).is_dir():
            print(f"{each.name}: {root / each.folder} is not there", file=sys.stderr)
            continue
        found = compared(root / each.folder, *each.dialects, ends=each.ends)
        lacking += len(found.missed)
        share = f"{len(found.found):,} ({found.share:.1%})"
        beyond = f"{len(found.missed):,} | {len(found.extra):,} | {found.seconds:.1f}"
        print(f"| {each.name} | {len(found.counted):,} | {share} | {beyond} |", flush=True)
    return int(bool(lacking))


if __name__ == "__main__":
    sys.exit(main())
