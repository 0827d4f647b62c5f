"""Runs pandoc on one file: as a process of its own, without file system or network, bounded in time and memory."""

from __future__ import annotations

import signal
import subprocess
from functools import cache
from pathlib import Path

from docgraph.boundary.files.regular import reason_of
from docgraph.boundary.limits import MAX_CONVERSION_HEAP
from docgraph.boundary.text import one_line

EXTRA = "pip install 'docgraph[formats]'"
_MARKDOWN = (
    "commonmark_x-raw_html-attributes-bracketed_spans-fenced_divs-raw_attribute+wikilinks_title_after_pipe"
    "+yaml_metadata_block"
)
_HEAP_EXHAUSTED = 251


def as_markdown(data: bytes, kind: str, *, seconds: float) -> str:
    """``data`` in pandoc's input format ``kind`` as Markdown, document metadata as YAML front matter.

    ``--sandbox`` keeps pandoc from every file and address that the data name. Raises ValueError with one line when
    pandoc is not installed, cannot read the data, or takes more than ``seconds`` or 512 MB.
    """
    found = program()
    command = [
        found,
        *("+RTS", f"-M{MAX_CONVERSION_HEAP // 1_000_000}M", "-RTS"),
        *("--sandbox", "--standalone", "--wrap=none", f"--data-dir={Path(found).parent}"),
        *("--from", kind, "--to", _MARKDOWN),
    ]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(
            f"converting it took more than {seconds:g} seconds: split it, or leave out odd mark-up"
        ) from None
    except OSError as error:
        raise ValueError(f"pandoc cannot be started: {reason_of(error)}; install it again: {EXTRA}") from None
    if done.returncode == _HEAP_EXHAUSTED:
        raise ValueError(f"converting it takes more than {MAX_CONVERSION_HEAP // 1_000_000} MB of memory: a bomb?")
    if hasattr(signal, "SIGXCPU") and done.returncode == -signal.SIGXCPU:
        raise ValueError("converting it takes too much processor time: split it, or leave out odd mark-up")
    if done.returncode:
        said = one_line(done.stderr.decode("utf-8", "replace"), 200)
        raise ValueError(f"the file cannot be read as {kind}: {said or f'pandoc ended with {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


@cache
def program() -> str:
    """Where pandoc is. Raises ValueError when it is not installed."""
    try:
        import pypandoc
    except ImportError:
        raise ValueError(f"this format needs an optional part that is not installed: {EXTRA}") from None
    beside = Path(pypandoc.__file__).parent / "files"
    for name in ("pandoc", "pandoc.exe"):
        if (beside / name).is_file():
            return str(beside / name)
    try:
        return str(pypandoc.get_pandoc_path())
    except OSError:
        raise ValueError(f"this format needs pandoc, which is not installed: {EXTRA}") from None
