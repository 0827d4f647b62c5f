"""``python -m tests.survive [ROW …]``: the whole form, row by row, each in a process of its own; writes the totals."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import ROOT
from tests.survive.programme import module_of, programme
from tests.survive.tally import FORM, RESULTS
from tests.survive.totals import LINES, write


def main(asked: list[str]) -> int:
    """0 when every row that ran held."""
    rows = [row.row for row in programme() if not asked or row.row in asked]
    if unknown := set(asked) - set(rows):
        print(f"no such row: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    failed = []
    for row in rows:
        options = ["-q", "-p", "no:cacheprovider", "--timeout", "0", "--no-header", "-o", "addopts=--strict-markers"]
        environment = {**os.environ, FORM: "whole", RESULTS: str(LINES)}
        command = [sys.executable, "-m", "pytest", str(module_of(row)), *options]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            failed.append(row)
        write()
    print(f"rows that failed: {', '.join(failed)}" if failed else "every row held")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
