"""Signing in at a real identity provider: nothing is shown before, roles hold after, the name signs, and out again."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docgraph.domain.graph import Document, Relationship
from tests.e2e.conftest import PROGRAM, SMALL, START_SECONDS, Screen, _address_of, _stop

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PEOPLE = {
    "ann": {"email": "ann@docs.example", "email_verified": True, "name": "Ann"},
    "ben": {"email": "ben@docs.example", "email_verified": True, "name": "Ben"},
    "vi": {"email": "ann@docs.example", "email_verified": False, "name": "Ann"},
}
"""Ann administers, Ben curates; Vi only says that she is Ann."""


@dataclass(frozen=True)
class Guarded:
    """A dashboard that people sign in to, and the file of its audit."""

    url: str
    audit: Path
    folder: Path

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.audit.read_text().splitlines()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of an OpenID provider that knows the people."""
    if importlib.util.find_spec("oidc_provider_mock") is None:
        pytest.skip("no identity provider to test with: pip install oidc-provider-mock")
    port = free_port()
    users = [f"--user-claims={json.dumps({'sub': name, **claims})}" for name, claims in PEOPLE.items()]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *users]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGTERM)


@pytest.fixture(scope="module")
def guarded(provider: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A dashboard over two documents, with sign-in at the provider."""
    import docgraph
    from tests.conftest import reachable_folder

    folder, here, port = reachable_folder(), tmp_path_factory.mktemp("guarded"), free_port()
    with docgraph.connect(data_dir=folder, workspace="default") as opened:
        opened.ingest_records(
            [Document(document_id=i, title=f"The {i} note", text=f"What the {i} queue holds.") for i in ("one", "two")],
            [Relationship(from_document_id="one", relation_type="explains", to_document_id="two")],
        )
    environment = {
        **os.environ,
        "DOCGRAPH_DATA_DIR": str(folder),
        "DOCGRAPH_OIDC_METADATA_URL": f"{provider}/.well-known/openid-configuration",
        "DOCGRAPH_OIDC_CLIENT_ID": "docgraph",
        "DOCGRAPH_OIDC_CLIENT_SECRET": "marker-client-secret",
        "DOCGRAPH_COOKIE_SECRET": "marker-cookie-secret-" + "x" * 32,
        "DOCGRAPH_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "DOCGRAPH_ADMINS": "ann@docs.example",
        "DOCGRAPH_CURATORS": "ben@docs.example",
        "DOCGRAPH_AUDIT_FILE": str(here / "audit.jsonl"),
    }
    log = here / "server.log"
    command = [sys.executable, "-c", PROGRAM, "dashboard", "--headless", "--port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=here, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield Guarded(_address_of(server, log), here / "audit.jsonl", folder)
    finally:
        _stop(server)
        shutil.rmtree(folder, ignore_errors=True)
    said = log.read_text(encoding="utf-8", errors="replace")
    assert "marker-" not in said, "a secret stands in the log"
    assert "Traceback" not in said, said


@pytest.fixture(scope="module")
def tab(browser: Browser, guarded: Guarded) -> Iterator[Screen]:
    """A browser of nobody's."""
    context = browser.new_context(**SMALL, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(START_SECONDS * 1000)
    yield Screen(context.new_page(), guarded.url)
    context.close()


@pytest.fixture
def visitor(tab: Screen) -> Screen:
    """Somebody whom neither the dashboard nor the provider knows yet."""
    tab.make_as_new()
    tab.page.context.clear_cookies()
    assert tab.page.context.cookies() == []
    return tab


def sign_in(screen: Screen, who: str, path: str = "/", *, then: str = "") -> None:
    """By the page's own button, and the provider's form; ``then`` = the path to open at once, before the start."""
    page = screen.open(path)
    page.get_by_role("button", name="Sign in").click()
    page.locator('input[name="sub"]').fill(who)
    page.locator('button[type="submit"]').first.click()
    page.wait_for_url(f"{screen.url}/**", wait_until="commit" if then else "load")
    if then:
        page.goto(screen.url + then)
    page.locator(".st-key-dg-account").wait_for()
    screen.settle()


@pytest.mark.parametrize("path", ["/", "/plan?query=queue", "/library?show=Import", "/relationships", "/?present=1"])
def test_nothing_is_shown_before_somebody_signed_in(visitor: Screen, path: str) -> None:
    page = visitor.open(path)
    page.get_by_role("button", name="Sign in").wait_for()
    shown = page.locator("body").inner_text()
    assert "queue holds" not in shown
    assert "default" not in shown
    assert page.get_by_role("button").count() <= 3, "the button, and the framework's own menu"


def test_an_address_that_nobody_vouches_for_gives_no_role_and_a_viewer_changes_nothing(
    visitor: Screen, guarded: Guarded
) -> None:
    sign_in(visitor, "vi")
    assert "Ann (vi)" in visitor.text_of(".st-key-dg-account")
    page = visitor.open("/library?show=Import")
    page.get_by_text("Only admins can add documents").wait_for()
    page = visitor.open("/library?show=Workspaces")
    page.get_by_text("Only admins can create, back up and delete workspaces").wait_for()
    assert page.get_by_role("button", name="Delete workspace").count() == 0
    page = visitor.open("/relationships")
    page.get_by_text("a viewer may not change").wait_for()
    acts = {line["act"] for line in guarded.lines() if line["by"] == "Ann (vi)"}
    assert acts <= {"sign_in", "sign_out"}


def test_a_curator_signs_with_the_name_that_signed_in_and_the_audit_has_the_line(
    visitor: Screen, guarded: Guarded
) -> None:
    sign_in(visitor, "ben", "/plan?query=queue", then="/plan?query=queue")
    page = visitor.page
    page.locator('.dg[data-ready="1"]').last.wait_for()
    page.get_by_test_id("stPopover").get_by_role("button", name="Save", exact=True).click()
    assert page.get_by_label("Your name").count() == 0
    page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Saved as").wait_for()
    [line] = [line for line in guarded.lines() if line["by"] == "ben@docs.example" and line["act"] != "sign_in"]
    assert (line["act"], line["role"], line["outcome"], line["n"]) == ("save", "curator", "done", 1)
    page = visitor.open("/library?show=Import")
    page.get_by_text("Only admins can add documents").wait_for()


def test_an_admin_imports_and_signing_out_closes_the_door(visitor: Screen) -> None:
    sign_in(visitor, "ann", then="/library?show=Import")
    page = visitor.page
    page.get_by_role("button", name="Choose a folder").wait_for()
    page.locator(".st-key-dg-account button").first.click()
    page.get_by_text("Signed in as").wait_for()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.wait_for_url("**/end_session?**")  # the provider asks as well
    page.locator('button[type="submit"]').first.click()
    page.get_by_role("button", name="Sign in").wait_for()
    page = visitor.open("/library")
    page.get_by_role("button", name="Sign in").wait_for()
    assert "queue holds" not in page.locator("body").inner_text()


def sign_out(screen: Screen, button: str = "Sign out") -> None:
    """By the button under the name, and the provider's own form."""
    page = screen.page
    page.locator(".st-key-dg-account button").first.click()
    page.get_by_text("Signed in as").wait_for()
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**/end_session?**")
    page.locator('button[type="submit"]').first.click()
    page.get_by_role("button", name="Sign in").wait_for()


@pytest.mark.parametrize("button", ["Sign out", "Sign out everywhere"])
def test_signing_out_ends_what_somebody_copied_in_open_pages_too(
    visitor: Screen, browser: Browser, guarded: Guarded, button: str
) -> None:
    """The framework takes the cookie out of one browser, and would take it from every other one for thirty days."""
    sign_in(visitor, "ann")
    context = browser.new_context(**SMALL, reduced_motion="reduce")
    try:
        context.set_default_timeout(START_SECONDS * 1000)
        if button == "Sign out":
            context.add_cookies(visitor.page.context.cookies())
        copy = Screen(context.new_page(), guarded.url)
        if button == "Sign out":
            copy.open("/library?show=Workspaces")
        else:
            sign_in(copy, "ann", "/library?show=Workspaces")
        copy.page.locator(".st-key-dg-account").wait_for()
        sign_out(visitor, button)
        copy.page.get_by_role("button", name="Sign in").wait_for(timeout=15_000)
        assert copy.page.locator(".st-key-dg-account").count() == 0
        copy.page.reload()
        copy.page.get_by_role("button", name="Sign in").wait_for()
    finally:
        context.close()
    ended = [line for line in guarded.lines() if line["act"] == "sign_out"][-1]
    assert (ended["by"], ended["outcome"]) == ("ann@docs.example", "done")
    assert ended["n"] == 1 if button == "Sign out" else int(str(ended["n"])) >= 2


def test_what_one_process_ends_the_open_pages_of_another_one_lose(visitor: Screen, guarded: Guarded) -> None:
    sign_in(visitor, "ann", "/library?show=Workspaces")
    command = [sys.executable, "-c", PROGRAM, "people", "end", "--all", "ann@docs.example", "--by", "the duty desk"]
    environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(guarded.folder), "DOCGRAPH_AUDIT_FILE": str(guarded.audit)}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    visitor.page.get_by_role("button", name="Sign in").wait_for(timeout=15_000)
    line = [line for line in guarded.lines() if line["act"] == "end_sign_ins"][-1]
    assert (line["by"], line["outcome"]) == ("the duty desk", "done")
    assert str(line["subjects"]).count("ann@docs.example") == line["n"]


def test_the_sign_in_page_asks_for_nothing_that_it_may_not_have(visitor: Screen) -> None:
    """Where a door is closed that the page needs, it is seen here."""
    refused: list[str] = []
    page = visitor.page
    page.on("response", lambda answer: refused.append(answer.url) if answer.status in (401, 403) else None)
    visitor.open("/")
    page.get_by_role("button", name="Sign in").wait_for()
    assert refused == []
    shown = page.locator("img, link").evaluate_all("all => all.map(each => new URL(each.src || each.href).pathname)")
    assert shown
    assert not [path for path in shown if path.startswith("/media")]


UPLOAD = "/_stcore/upload_file/nobody/nothing"
SEND = f"async () => (await fetch('{UPLOAD}', {{method: 'PUT', body: 'x'.repeat(1000)}})).status"


def test_no_bytes_are_taken_before_somebody_signed_in(visitor: Screen) -> None:
    """A session begins before the sign-in, and the framework would take hundreds of megabytes into it."""
    page = visitor.open("/")
    page.get_by_role("button", name="Sign in").wait_for()
    assert page.evaluate(SEND) == 401
    sign_in(visitor, "ann")
    assert page.evaluate(SEND) in (400, 403), "what the framework says of an upload that belongs to no session"


def test_two_people_at_once_have_each_their_own_role(visitor: Screen, browser: Browser, guarded: Guarded) -> None:
    context = browser.new_context(**SMALL, reduced_motion="reduce")
    try:
        context.set_default_timeout(START_SECONDS * 1000)
        screens = visitor, Screen(context.new_page(), guarded.url)
        for screen, who in zip(screens, ("ann", "vi"), strict=True):
            sign_in(screen, who, then="/library?show=Workspaces")
        admin, viewer = (screen.page for screen in screens)
        viewer.get_by_text("Only admins can create, back up and delete workspaces").wait_for()
        admin.get_by_role("button", name="Create").wait_for()
        viewer.reload()
        viewer.get_by_text("Only admins can create, back up and delete workspaces").wait_for()
    finally:
        context.close()
