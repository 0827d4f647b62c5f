"""Pages, docstrings and strings are spelled correctly, in British English: codespell reads them.

``american.txt`` maps American spellings to British ones. Field terms keep their z (*tokenizer*, *quantized*), and
*authorization* is OAuth's word. ``spelled_so.txt`` lists what only looks wrong: stems, names, and the misspellings
that documents use and docgraph understands (*supercedes*).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.prose import Text, docstrings, pages, strings

HERE = Path(__file__).parent
PROSE = re.compile(r"[^{}<>;=]*\w \w[^{}<>;=]* \w[^{}<>;=]*")
"""Three words and more without a mark of CSS, HTML or SQL."""
QUOTING = "docs/specification.md"
CODE = re.compile(r"``.*?``|`[^`\n]*`", re.DOTALL)

pytestmark = pytest.mark.skipif(
    find_spec("codespell_lib") is None, reason="codespell is not installed: it comes with the test extra (make test)"
)


def _misspelled(texts: Iterable[Text], folder: Path) -> list[str]:
    """``path:line: wrong ==> right`` of every misspelling; each path becomes a file with its texts at their lines."""
    files: dict[str, dict[int, str]] = defaultdict(lambda: defaultdict(str))
    for text in texts:
        for at, line in enumerate(CODE.sub(" ", text.text).splitlines()):
            files[text.where][text.line + at] += f" {line}"
    for where, lines in files.items():
        path = folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines.get(at, "") for at in range(1, max(lines) + 1)), encoding="utf-8")
    words = ["-D", "-", "-D", str(HERE / "american.txt"), "-I", str(HERE / "spelled_so.txt")]
    finished = subprocess.run(
        [sys.executable, "-m", "codespell_lib", *words, "--config", str(folder / "none"), "."],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert not finished.stderr, finished.stderr
    return finished.stdout.splitlines()


def test_the_pages_are_spelled_right(tmp_path: Path) -> None:
    """The page on the specification quotes it, and its English is American."""
    texts = (Text(*at, re.sub('"[^"]*"', "", text) if at[0] == QUOTING else text) for *at, text in pages())
    assert _misspelled(texts, tmp_path) == []


def test_the_docstrings_are_spelled_right(tmp_path: Path) -> None:
    assert _misspelled(docstrings("docgraph", public=False), tmp_path) == []


def test_the_strings_are_spelled_right(tmp_path: Path) -> None:
    assert _misspelled((text for text in strings("docgraph") if PROSE.fullmatch(text.text)), tmp_path) == []


def test_american_and_wrong_words_are_found_at_their_lines(tmp_path: Path) -> None:
    texts = [Text("a/b.md", 3, "The color of a queue."), Text("a/b.md", 7, "It recieves `color`.")]
    assert _misspelled(texts, tmp_path) == ["./a/b.md:3: color ==> colour", "./a/b.md:7: recieves ==> receives"]
