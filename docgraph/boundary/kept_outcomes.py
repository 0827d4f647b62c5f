"""What an evaluation has finished, in a file of one JSON object a line, so that it can be stopped and gone on with."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pydantic import ValidationError

from docgraph.boundary.files.regular import reason_of
from docgraph.domain.evaluation import Outcome
from docgraph.errors import ConflictError, UserError

FORMAT = "docgraph-evaluation-1"
MAX_LINE = 20_000_000
_HINT = "name another file, or remove this one to begin anew"


class KeptOutcomes:
    """One file, open while its evaluation runs; every outcome is there as soon as it is finished.

    The first line says what is asked of which data. A line that a killed process has left half is left out.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def begin(self, asked: str, revision: str) -> list[Outcome]:
        """What the file has of this evaluation; a new file has nothing.

        ``asked`` = ``domain.evaluation.what_is_asked``, ``revision`` = of the data now. Raises ConflictError for a file
        of another evaluation or of other data, and UserError where the file cannot be read or written.
        """
        try:
            there = self._read(asked, revision) if self.path.exists() and self.path.stat().st_size else None
            self._file = self.path.open("ab", buffering=0)  # a full disk leaves nothing to be written when it closes
            if there is None:
                self._begin_anew({"format": FORMAT, "asked": asked, "revision": revision})
                return []
            outcomes, whole = there
            os.truncate(self.path, whole)
            return outcomes
        except (OSError, ValueError) as error:
            reason = reason_of(error)
            raise UserError(f"cannot keep outcomes in {str(self.path)[:200]!r}: {reason}", hint=_HINT) from error

    def add(self, outcome: Outcome) -> None:
        """Keep one more. Raises UserError when the disk is full."""
        try:
            self._write(outcome.model_dump(mode="json"))
        except OSError as error:
            raise UserError(
                f"cannot keep outcomes in {str(self.path)[:200]!r}: {reason_of(error)}", hint="what it has can be used"
            ) from error

    def _begin_anew(self, head: object) -> None:
        """The first line whole, or an empty file, which can be begun again."""
        try:
            self._write(head)
        except OSError:
            with suppress(OSError):
                os.truncate(self.path, 0)
            raise

    def _write(self, value: object) -> None:
        assert self._file is not None
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        while line:
            line = line[self._file.write(line) :]  # the last bytes of a disk may take a part of it

    def _read(self, asked: str, revision: str) -> tuple[list[Outcome], int]:
        """The outcomes, and the bytes up to the end of the last whole line. Raises ValueError."""
        outcomes: list[Outcome] = []
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
                if not line.endswith(b"\n"):
                    break
                if number == 1:
                    self._check(line, asked, revision)
                else:
                    try:
                        outcomes.append(Outcome.model_validate_json(line))
                    except ValidationError:
                        raise ValueError(f"line {number} is not an outcome of an evaluation") from None
                whole += len(line)
        if not whole:
            raise ValueError("line 1 is cut off")
        return outcomes, whole

    def _check(self, line: bytes, asked: str, revision: str) -> None:
        try:
            head = json.loads(line)
        except (ValueError, RecursionError):
            head = None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise ValueError("it holds something else than outcomes of an evaluation")
        if head.get("asked") != asked:
            raise ConflictError(
                f"{str(self.path)[:200]!r} keeps another evaluation: other questions, configurations or measures",
                hint=_HINT,
            )
        if head.get("revision") != revision:
            raise ConflictError(
                f"the data have changed since {str(self.path)[:200]!r} was begun "
                f"(revision {str(head.get('revision'))[:12]}, now {revision[:12]})",
                hint=_HINT,
            )
