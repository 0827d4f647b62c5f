"""Takes the pictures of README.md and docs anew, and writes the words of each beside it.

python -m tools.pictures                  all of tools/pictures/album.py
python -m tools.pictures plan compare     these alone
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from tools.pictures.album import ALBUM, Picture, Theme
from tools.pictures.sample import ROOT, served_sample
from tools.pictures.taking import photograph, seen_in, started_browser, visited, words
from tools.pictures.words import written

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

FOLDER = ROOT / "docs" / "images"


def main(names: list[str], folder: Path = FOLDER) -> int:
    """Take them; 2 where a name is no picture's."""
    if unknown := set(names) - {picture.name for picture in ALBUM}:
        print(f"no picture is called {', '.join(sorted(unknown))}", file=sys.stderr)
        print(f"hint:  {', '.join(picture.name for picture in ALBUM)}", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    with served_sample() as url, started_browser() as browser:
        for theme in get_args(Theme):
            with seen_in(browser, theme) as context:
                for picture in ALBUM:
                    if theme in picture.themes and (not names or picture.name in names):
                        _take(context, url, picture, theme, folder)
    return 0


def _take(context: BrowserContext, url: str, picture: Picture, theme: Theme, folder: Path) -> None:
    with visited(context, url, picture) as page:
        lines = words(page)
        photograph(page, folder / f"{picture.name}-{theme}.png")
    if theme == picture.themes[0]:
        (folder / f"{picture.name}.txt").write_text(written(lines), encoding="utf-8")
    print(f"{picture.name}, {theme}: {len(lines)} lines of words", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
