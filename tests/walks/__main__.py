"""Walks first runs on folders of real corpora, where they are, and on small ones of our own; prints acts and seconds.

python -m tests.walks [NAME=FOLDER …]     exits 1 where a walk takes more than 8 acts or 3 minutes, or the page says --
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.conftest import reachable_folder
from tests.e2e.conftest import FLAGS, SMALL, chromium, served_dashboard
from tests.walks.small import FOLDERS
from tests.walks.walk import MAX_ACTS, MAX_SECONDS, Walk, walk


def main(given: list[str]) -> int:
    """Walk the folders that are named, else our own; 1 where one of them falls short."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="docgraph-walks-") as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
        named = dict(each.partition("=")[::2] for each in given)
        roots = {name: Path(folder).resolve() for name, folder in named.items()} or {
            name: write(Path(place) / name) for name, write in FOLDERS.items()
        }
        short = 0
        for name, root in roots.items():
            data, log = reachable_folder(), Path(place) / f"{name}.log"
            log.mkdir()
            with served_dashboard(data, log) as url:
                page = browser.new_context(**SMALL).new_page()
                short += not _told(name, walk(page, url, root))
                page.context.close()
            shutil.rmtree(data, ignore_errors=True)
        browser.close()
    return 1 if short else 0


def _told(name: str, found: Walk) -> bool:
    found.folder = name
    print(found.line, flush=True)
    for each in found.unknown:
        print(f"  -- {each}", flush=True)
    return len(found.acts) <= MAX_ACTS and found.seconds <= MAX_SECONDS and not found.unknown


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
