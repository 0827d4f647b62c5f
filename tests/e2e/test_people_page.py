"""Library › People in a browser: who is signed in, in the numbers of the command line, and an end to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import PROGRAM, SMALL, START_SECONDS, Screen
from tests.e2e.test_accessibility import axe, grave
from tests.e2e.test_sign_in import Guarded, guarded, provider, sign_in, tab, visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["axe", "guarded", "provider", "tab", "visitor"]  # fixtures
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


@contextmanager
def elsewhere(browser: Browser, guarded: Guarded, who: str, path: str = "/") -> Iterator[Screen]:
    """Somebody in another browser, signed in."""
    context = browser.new_context(**SMALL, reduced_motion="reduce", user_agent=FIREFOX)
    try:
        context.set_default_timeout(START_SECONDS * 1000)
        screen = Screen(context.new_page(), guarded.url)
        sign_in(screen, who, path)
        yield screen
    finally:
        context.close()


def told(guarded: Guarded, *arguments: str) -> str:
    """What ``docgraph people`` prints of this database."""
    environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(guarded.folder), "COLUMNS": "200"}
    command = [sys.executable, "-c", PROGRAM, "people", *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def nobody_else(guarded: Guarded) -> None:
    """Whoever earlier tests left signed in is out."""
    for name in {each["name"] for each in json.loads(told(guarded, "list", "--json"))["sign_ins"]}:
        told(guarded, "end", "--all", name)


@pytest.mark.usefixtures("nobody_else")
def test_an_admin_sees_who_is_signed_in_as_the_command_line_does_and_ends_all_of_somebody(
    visitor: Screen, browser: Browser, guarded: Guarded
) -> None:
    with elsewhere(browser, guarded, "ben", "/library?show=Limits") as ben:
        sign_in(visitor, "ann", then="/library?show=People")
        page = visitor.page
        page.get_by_text("2 sign-ins of 2 people").wait_for()
        listed = told(guarded)
        assert "2 sign-ins of 2 people" in listed
        short_id = next(line.split()[0] for line in listed.splitlines() if "ben@docs.example" in line)
        page = visitor.open(f"/library?show=People&sign_in={short_id}")
        panel = page.locator(".st-key-dg-person")
        panel.get_by_text("Open pages").last.wait_for()
        panel.get_by_text(short_id).wait_for()
        shown = panel.inner_text()
        assert "ben@docs.example" in shown
        assert short_id in shown
        assert re.search(r"Open pages\s+[1-9]\d? of 50", shown), "a page that was just left may still count"
        for moment in re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", next(x for x in listed.splitlines() if short_id in x))[
            :1
        ]:
            assert moment in shown
        panel.get_by_role("button", name="Sign out everywhere").click()
        page.get_by_role("button", name="End 1 sign-in", exact=True).click()
        page.get_by_text("Ended 1 sign-in of ben@docs.example.").wait_for()
        page.get_by_text("1 sign-in of 1 person", exact=True).wait_for()
        ben.page.get_by_role("button", name="Sign in").wait_for()
    assert "1 sign-in of 1 person" in told(guarded)
    line = [line for line in guarded.lines() if line["act"] == "end_sign_ins"][-1]
    assert (line["by"], line["role"], line["outcome"]) == ("ann@docs.example", "admin", "done")
    assert line["subjects"] == [f"ben@docs.example {short_id}"]


@pytest.mark.usefixtures("nobody_else")
def test_a_viewer_sees_nobody_else_and_ends_one_of_their_own(
    visitor: Screen, browser: Browser, guarded: Guarded
) -> None:
    with elsewhere(browser, guarded, "vi") as other, elsewhere(browser, guarded, "ben") as ben:
        sign_in(visitor, "vi", then="/library?show=People")
        page = visitor.page
        page.get_by_text("Only admins see who is signed in").wait_for()
        page.locator(".st-key-dg-account button").first.click()
        page.get_by_role("button", name="Your sign-ins", exact=True).click()
        dialog = page.get_by_role("dialog", name="Your sign-ins")
        dialog.get_by_text("You are signed in 2 times").wait_for()
        assert "ben" not in dialog.inner_text()
        assert dialog.get_by_text("this browser").count() == 1
        dialog.get_by_role("button", name="End", exact=True).click()
        dialog.get_by_role("button", name="End it", exact=True).click()
        dialog.get_by_text("You are signed in 1 time.").wait_for()
        other.page.get_by_role("button", name="Sign in").wait_for()
        assert ben.page.locator(".st-key-dg-account").count() == 1
    line = [line for line in guarded.lines() if line["act"] == "sign_out"][-1]
    assert (line["by"], line["n"], line["outcome"]) == ("Ann (vi)", 1, "done")
    assert str(line["subjects"]).startswith("['Firefox 128 on Linux ")


def test_in_either_theme_the_page_and_the_dialog_have_no_serious_fault(visitor: Screen, axe: str) -> None:
    sign_in(visitor, "ann", then="/library?show=People")
    page = visitor.page
    page.evaluate(axe)
    faults = grave(visitor)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
    faults += grave(visitor)
    page.locator(".st-key-dg-account button").first.click()
    page.get_by_role("button", name="Your sign-ins", exact=True).click()
    page.get_by_role("dialog", name="Your sign-ins").get_by_text("You are signed in").wait_for()
    faults += grave(visitor)
    assert not faults, "\n".join(faults)
