"""Every picture of README.md and docs: its name, where in the dashboard it is, how one gets there, size and themes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

from tools.pictures.sample import PERSON, QUESTION, SET, WORKSPACE

if TYPE_CHECKING:
    from playwright.sync_api import Page

Theme = Literal["light", "dark"]
Step = Callable[["Page"], None]
"""Does one thing on the page, as a person does it; the page settles after each."""


@dataclass(frozen=True)
class Picture:
    """``docs/images/NAME-THEME.png`` for each theme, and ``docs/images/NAME.txt`` with its words.

    ``address`` = path in the dashboard with its query, ``size`` = width and height in pixels.
    """

    name: str
    address: str
    steps: tuple[Step, ...] = ()
    size: tuple[int, int] = (1440, 900)
    themes: tuple[Theme, ...] = ("light", "dark")


def at(page: str, **query: str) -> str:
    """The address of a page in the sample's workspace."""
    return f"/{page}?{urlencode({'workspace': WORKSPACE, **query})}"


def pressed(role: Literal["button", "link", "radio", "tab"], name: str) -> Step:
    """Press the first control that is called so."""
    return lambda page: page.get_by_role(role, name=name).first.press("Enter")


def typed(label: str, text: str) -> Step:
    """Type a text into a field, and press Enter."""

    def step(page: Page) -> None:
        field = page.get_by_label(label).first
        field.fill(text)
        field.press("Enter")

    return step


def shown(text: str) -> Step:
    """Wait for a text that the last step leads to: a page may stand still for a while before it follows."""
    return lambda page: page.get_by_text(text).first.wait_for()


def scrolled_to(selector: str, above: int = 76) -> Step:
    """Scroll until the first match stands ``above`` pixels under the upper edge, below the header."""
    move = """(found, above) => {
      let box = found.parentElement
      while (box.parentElement && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement
      box.scrollBy({ top: found.getBoundingClientRect().top - above, behavior: 'instant' }) }"""
    return lambda page: page.locator(selector).first.evaluate(move, above)


BOTH_DIRECTIONS = "a3dced4173daa487"
"""The finding about depends_on in both directions: it keeps its id as long as its subject is the same."""
ALBUM = (
    Picture("plan", at("plan", query=QUESTION)),
    Picture("evidence", at("plan", query=QUESTION), (scrolled_to(".pl-evidence"),), size=(1280, 720)),
    Picture("compare", at("compare", query=QUESTION)),
    Picture("query-sets", at("query_sets", set=SET)),
    Picture(
        "relationships",
        at("relationships", finding=BOTH_DIRECTIONS),
        (
            shown("This type has one direction only"),
            pressed("button", "Editing off"),
            typed("Your name", PERSON),
            shown("Editing on, as"),
        ),
        size=(1440, 1000),
    ),
)
