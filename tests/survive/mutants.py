"""``python -m tests.survive.mutants [NAME or ROW …]``: plants each weakness into a copy; its row has to notice it."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests import ROOT
from tests.survive import totals
from tests.survive.planted import Mutant, keep_tried, planted
from tests.survive.programme import module_of
from tests.survive.tally import FORM, GIVE_UP, RESULTS, SEED, Form

PATIENCE: dict[Form, float] = {"short": 900.0, "whole": 7_200.0}
"""Seconds that one run of a row may take."""
SAID = "said"
"""What is told of a weakness that was tried, and not kept: it names folders and processes of that one run."""
LEFT_OUT = ("PYTEST_", RESULTS, SEED)
"""Variables of the tests around that those in the copy must not see."""


@dataclass(frozen=True)
class Ended:
    """How a row ended: held, failed by what it asserts, or otherwise (skipped, broken, out of time)."""

    how: str
    said: str
    seconds: float


class Copy:
    """The files of the tree in a folder of their own, in which one weakness after the other is planted."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is there; raises CalledProcessError where the tree is no checkout."""
        self.folder = folder / "tree"
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.folder / name)
        self._git("init", "-q")
        self._git("add", "-A")

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """With this weakness; afterwards the copy is as it was, without what the row left in it."""
        self._git("apply", "--recount", str(mutant.path))
        try:
            yield
        finally:
            self._git("checkout", "-q", "-f", "--", ".")
            self._git("clean", "-fdq")

    def imports(self, mutant: Mutant) -> str:
        """Nothing where all that was changed can be imported; otherwise why not."""
        code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
        python = [name for name in mutant.touched if name.endswith(".py")]
        for name in python:
            compile((self.folder / name).read_text(encoding="utf-8"), name, "exec")
        modules = [name for name in python if name.startswith("docgraph/") and "/migrations/" not in name]
        names = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in modules]
        command = [sys.executable, "-c", code, *names]
        ended = subprocess.run(command, cwd=self.folder, env=self._environment(), capture_output=True, check=False)
        return ended.stderr.decode().strip().splitlines()[-1] if ended.returncode else ""

    def run(self, row: str, form: Form) -> Ended:
        """One run of a row, given up at the first case that fails."""
        module, report = module_of(row).relative_to(ROOT), self.folder.parent / "row.xml"
        report.unlink(missing_ok=True)
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--strict-markers"]
        command = [sys.executable, "-m", "pytest", str(module), *options, "--junitxml", str(report)]
        began = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**self._environment(), FORM: form, GIVE_UP: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(PATIENCE[form])
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return Ended("out of time", f"over {PATIENCE[form]:.0f} seconds", time.monotonic() - began)
        return Ended(*_ending(report), time.monotonic() - began)

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
        return {**kept, "PYTHONPATH": str(self.folder)}

    def _git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)


def _ending(report: Path) -> tuple[str, str]:
    """(how, what was said) of a run, by the row itself: other tests of its module do not count."""
    if not report.exists():
        return "broken", "no report"
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    rows = [case for case in cases if case.find("properties/property[@name='survive']") is not None]
    for case in rows:
        if (failure := case.find("failure")) is not None:
            return "failed", " ".join(failure.get("message", "").split())[:300]
    for case in cases:
        for kind, how in (("error", "broken"), ("failure", "broken"), ("skipped", "skipped")):
            if (found := case.find(kind)) is not None:
                return how, " ".join(found.get("message", "").split())[:300]
    return ("held", "") if rows else ("broken", "the row was not tried")


class Trial:
    """Tries weaknesses in one copy; the copy as it is has to hold, once for each row and form."""

    def __init__(self, copy: Copy, *, sound_first: bool = True) -> None:
        self._copy, self._sound_first = copy, sound_first
        self._sound: dict[tuple[str, Form], Ended] = {}

    def of(self, mutant: Mutant, form: Form | None = None) -> dict[str, Any]:
        """What became of it, as a line; ``form`` in the place of its own."""
        form = form or mutant.form
        key = mutant.row, form
        if self._sound_first and key not in self._sound:
            self._sound[key] = self._copy.run(*key)
        sound = self._sound.get(key)
        if sound is not None and sound.how != "held":
            ended = Ended("not tried", f"without it the row {sound.how}: {sound.said}", 0.0)
        else:
            try:
                with self._copy.planted(mutant):
                    why_not = self._copy.imports(mutant)
                    ended = Ended("broken", why_not, 0.0) if why_not else self._copy.run(*key)
            except subprocess.CalledProcessError as error:
                ended = Ended("not planted", " ".join(error.stderr.decode().split())[:300], 0.0)
        return {
            "mutant": mutant.name,
            "row": mutant.row,
            "weakness": mutant.weakness,
            "form": form,
            "noticed": ended.how == "failed",
            "seconds": round(ended.seconds, 1),
            "how": ended.how,
            SAID: ended.said.replace(str(self._copy.folder), "…"),
        }


def main(words: Sequence[str]) -> int:
    """0 when every weakness was noticed that can be, and none that cannot."""
    parser = argparse.ArgumentParser(prog="python -m tests.survive.mutants", description=__doc__)
    parser.add_argument("asked", nargs="*", metavar="NAME or ROW", help="these only; the others' results stay")
    parser.add_argument("--form", choices=("short", "whole"), help="in the place of what each patch says")
    given = parser.parse_args(words)
    there = planted()
    chosen = [each for each in there if not given.asked or {each.name, each.row} & set(given.asked)]
    if unknown := set(given.asked) - {word for each in there for word in (each.name, each.row)}:
        print(f"no such weakness and no row with one: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    wrong = []
    with tempfile.TemporaryDirectory(prefix="docgraph-mutants-") as folder:
        trial = Trial(Copy(Path(folder)))
        for mutant in chosen:
            line = trial.of(mutant, given.form)
            print(
                f"{'noticed' if line['noticed'] else line['how']}: {mutant.name} ({line['seconds']} s) {line['said']}"
            )
            if not given.form or given.form == mutant.form:
                keep_tried([{name: line[name] for name in line if name != SAID}], planted())
            if line["noticed"] == bool(mutant.unnoticed):
                wrong.append(mutant.name)
    totals.write()
    print(f"not as planted: {', '.join(wrong)}" if wrong else "every weakness that can be noticed was noticed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
