"""The real dashboard on a free port with its own data folder, and a browser that notices every step outside."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests import ROOT
from tests.e2e.server_log import faults

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAM = "from docgraph.cli import main; main()"
WATCH = Path(__file__).with_name("outside")
"""Python loads its ``sitecustomize`` at the start of a process that has it on its path."""
PROXY = "127.0.0.2"
"""The address of this machine that the dashboard takes for a proxy's."""

START_SECONDS, WAIT_MS = 240, 60_000
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = {
    "image": "![x](https://evil.example/pixel.png)",
    "link": "[press](javascript:alert(1)) https://evil.example",
    "script": "<script>alert(1)</script>",
    "handler": '"><img src=https://evil.example/i onerror=alert(1)>',
    "icon": ":material/warning: :red[red] $x^2$ `code`",
    "svg": "<svg onload=alert(1)><style>body{display:none}</style>",
}
HOSTILE["everything"] = " ".join(HOSTILE.values())
"""Titles (and, with the same text, summaries, headings, ids and chunks) of the documents in workspace ``hostile``."""

VIOLATIONS = """document.addEventListener('securitypolicyviolation', event =>
  docgraphViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`))"""
"""Tells every violation of the content security policy, in a page and in its frames."""

SMALL: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
BARE = "/_stcore/health"
"""A path of the dashboard's whose page is one word."""
FIRST = "/plan?query=What+is+a+hold%3F"
Theme = Literal["light", "dark"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.timeout(300 + 2 * START_SECONDS))


def chromium() -> str | None:
    """The browser to drive: ``DOCGRAPH_CHROMIUM``, one on the path, or None for the one that Playwright keeps."""
    return os.environ.get("DOCGRAPH_CHROMIUM") or next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
    api.expect.set_options(timeout=WAIT_MS)  # a busy machine may take longer than Playwright's 5 seconds
    with api.sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
        except api.Error as error:
            pytest.skip(f"no browser could be started: {str(error).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture(scope="session")
def app_folder() -> Iterator[Path]:
    """The data folder of the dashboard, with the workspace ``hostile`` in it."""
    import docgraph
    from tests.conftest import reachable_folder

    folder = reachable_folder()
    with docgraph.connect(data_dir=folder, workspace="hostile") as opened:
        opened.create_workspace("hostile", title=HOSTILE["handler"])
        opened.ingest_records([_hostile_document(name, text) for name, text in HOSTILE.items()], _hostile_edges())
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _hostile_document(name: str, text: str) -> object:
    from docgraph.domain.graph import Document, Section

    section = Section(heading_path=(text, "part"), text=f"{text}\n\nThe text of {name}.")
    return Document(
        document_id=f"{name} {text}",
        title=text,
        summary=f"Summary {text}",
        sections=(section,),
        source=text,
        doc_type=text[:40],
        metadata={"note": text},
    )


def _hostile_edges() -> list[object]:
    from docgraph.domain.graph import Relationship

    ids = [f"{name} {text}" for name, text in HOSTILE.items()]
    return [
        Relationship(
            from_document_id=one,
            relation_type=HOSTILE["script"],
            to_document_id=other,
            relationship_metadata={"extractor": HOSTILE["image"], "text": HOSTILE["link"]},
        )
        for one, other in zip(ids, [*ids[1:], "missing <b>one</b>"], strict=True)
    ]


@pytest.fixture(scope="session")
def app_url(app_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the dashboard as ``docgraph dashboard --load-sample`` starts it."""
    with served_dashboard(app_folder, tmp_path_factory.mktemp("dashboard"), "--load-sample") as url:
        yield url


@contextmanager
def served_dashboard(data: Path, place: Path, *options: str) -> Iterator[str]:
    """Address of a dashboard over a data folder, with ``place`` for its log.

    Its log stays free of tracebacks, and in the whole session it looks up no name and sends nothing off the machine.
    """
    log, outside = place / "server.log", place / "outside.txt"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", PROGRAM, "dashboard", *options, "--headless", "--port", str(port)]
    environment = {
        **os.environ,
        "DOCGRAPH_DATA_DIR": str(data),
        "DOCGRAPH_TEST_OUTSIDE": str(outside),
        "DOCGRAPH_IMPORT_FROM_PATH": "true",
        "DOCGRAPH_ALLOWED_HOSTS": "docs.example",
        "DOCGRAPH_TRUSTED_PROXIES": PROXY,
        "PYTHONPATH": os.pathsep.join((str(WATCH), str(ROOT))),
    }
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=place, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield _address_of(server, log)
    finally:
        _stop(server)
    found = faults(log.read_text(encoding="utf-8", errors="replace"))
    assert not found, "\n".join(found)
    assert not outside.exists(), f"the dashboard went outside: {outside.read_text(encoding='utf-8')}"


def _address_of(server: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the server answers; it prints its address, which is another one when the port was taken meanwhile."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"docgraph is on (http://\S+)", log.read_text(encoding="utf-8", errors="replace"))
        if found and _answers(found[1]):
            return found[1]
        time.sleep(0.1)
    pytest.fail("the dashboard did not start:\n" + log.read_text(encoding="utf-8", errors="replace"))


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGINT)
    try:
        server.wait(60)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


@dataclass
class Screen:
    """A browser page on the dashboard, with the waits that it needs and a record of what must not happen."""

    page: Page
    url: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    read_at: str | None = None
    """The path that the page stands open at, where since its load somebody only read."""

    def watch(self) -> None:
        """Begin to record requests to other hosts, uncaught errors, dialogs, and what the security policy forbade."""
        self._watch(self.page)
        self.page.expose_function("docgraphViolation", lambda line: self.violations.append(line))
        self.page.add_init_script(VIOLATIONS)

    def _watch(self, page: Page) -> None:
        own = (self.url, self.url.replace("http", "ws", 1), "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(own) or self.foreign.append(request.url))
        page.on("websocket", lambda socket: socket.url.startswith(own) or self.foreign.append(socket.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.on("popup", self._watch)

    def _dialog(self, dialog: object) -> None:
        self.dialogs.append(dialog.message)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    def check(self) -> None:
        """Nothing happened that must not happen."""
        assert self.foreign == [], "requests left the machine"
        assert self.errors == [], "uncaught errors in the page"
        assert self.dialogs == [], "dialogs were opened"
        assert self.violations == [], "the security policy forbade something that the page needs"

    def make_as_new(self) -> None:
        """Leave nothing of what was done with the page before, but the compiled scripts."""
        page, origin = self.page, {"origin": self.url, "storageTypes": "cookies,local_storage,indexeddb"}
        self.read_at = None
        page.unroute_all()
        if page.url != self.url + BARE:
            page.goto(self.url + BARE)
        page.evaluate("() => sessionStorage.clear()")
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", origin)
        session.detach()
        self.look_as_new()

    def look_as_new(self) -> None:
        """Light, 1280 × 720, nothing pointed at, and nothing noticed yet."""
        self.page.emulate_media(media="null", color_scheme="light", reduced_motion="reduce")
        self.page.set_viewport_size(SMALL["viewport"])
        self.page.mouse.move(-1, -1)
        for noticed in (self.foreign, self.errors, self.dialogs, self.violations):
            noticed.clear()

    def open(self, path: str = "/") -> Page:
        """Go to a path of the dashboard and wait until it has settled."""
        self.read_at = None
        self.page.goto(self.url + path)
        self.settle()
        return self.page

    def read(self, path: str, *, last: bool = False) -> Page:
        """``open`` a page to read in it only: one that the test before read at this path is taken as it stands.

        The ``last`` test of it may act as well: nobody reads in its page afterwards.
        """
        if self.read_at == path:
            self.resize(**SMALL["viewport"])  # the test before may have looked at another size
        else:
            self.make_as_new()
            self.open(path)
        self.read_at = None if last else path
        return self.page

    def resize(self, width: int, height: int) -> None:
        """Give the open page another size and wait until it is drawn by it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function("width => innerWidth === width", arg=width)
        # What observes a size is told before the frame is drawn: after two of them it has drawn too.
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.settle()

    def settle(self) -> None:
        """Wait until the script has run and everything is drawn; after a click, wait for its effect first."""
        self.page.wait_for_function("""() => {
          const app = document.querySelector('[data-testid="stApp"]')
          return app && app.dataset.testScriptState === 'notRunning' && app.dataset.testConnectionState === 'CONNECTED'
            && !document.querySelector('[data-testid="stSkeleton"], [data-stale="true"]') }""")

    def asked(self, question: str) -> None:
        """Wait until the page has answered this question: an address says it before the run begins."""
        self.page.wait_for_function("question => document.body.dataset.asked === question", arg=question)
        self.settle()

    def listens_to(self, key: str) -> None:
        """Wait until a key (as ``KeyboardEvent.key`` has it) is listened to: from then on none is lost."""
        self.page.wait_for_function("key => document.body.dataset.keys?.split('|').includes(key)", arg=key)

    def press(self, key: str) -> None:
        """Press a key once everything is drawn and the key is listened to."""
        self.settle()
        self.listens_to(key)
        self.page.keyboard.press(key)

    def choose_theme(self, theme: Theme) -> None:
        """Choose light or dark in the main menu, as a person does."""
        self.page.locator('[data-testid="stMainMenu"] button').first.click()
        self.page.get_by_test_id(f"stMainMenuItem-theme-{theme.capitalize()}").click()
        self.page.keyboard.press("Escape")

    def text_of(self, selector: str) -> str:
        """The text that a reader sees in the first match."""
        return self.page.locator(selector).first.inner_text()


@pytest.fixture(scope="session")
def kept(browser: Browser, app_url: str) -> Iterator[Screen]:
    """The page of all tests; ``screen`` makes it as a fresh one is.

    One profile: the dashboard's own scripts are fetched once. One page: its process has them compiled, and draws the
    next page in half the time of a new one. It asks for less motion: what moves while a page loads costs as much as the
    page, and no test is about that.
    """
    with _visited(browser, app_url) as screen:
        yield screen


@pytest.fixture(scope="session")
def kept_elsewhere(browser: Browser, app_url: str) -> Iterator[Screen]:
    """The page of all tests in another profile, that of somebody else."""
    with _visited(browser, app_url) as screen:
        yield screen


@contextmanager
def _visited(browser: Browser, url: str) -> Iterator[Screen]:
    context = browser.new_context(**SMALL, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(START_SECONDS * 1000)
    screen = Screen(context.new_page(), url)
    screen.watch()
    _first_visit(screen)
    context.set_default_timeout(WAIT_MS)
    yield screen
    context.close()


PLACE, WORKSPACE = ".st-key-dg-nav a", ".st-key-dg-workspace button p"
"""Links of the bar to a place or a view, and the name of the workspace that is shown."""


def _first_visit(screen: Screen) -> None:
    """Draw a graph by deep link, inside the frame; it waits as long as for the start, because it meets the end of it.

    The server still imports, and the browser fetches and compiles 3 MB of scripts: no test's own wait pays for that.
    """
    page = screen.open(FIRST)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    page.locator(PLACE).filter(has_text="Relationships").wait_for()
    screen.check()


@pytest.fixture
def screen(kept: Screen) -> Iterator[Screen]:
    """A page like a fresh one at 1280 × 720, light; afterwards: no request left the machine, no error, no dialog."""
    with _as_new(kept) as page:
        yield page


@pytest.fixture
def reader(kept: Screen) -> Iterator[Screen]:
    """The same page for tests that ``read``: it is left open, for the next one that reads at the same path."""
    kept.look_as_new()
    yield kept
    kept.check()


@pytest.fixture
def elsewhere(kept_elsewhere: Screen) -> Iterator[Screen]:
    """The same in a browser that knows nothing of that of ``screen``."""
    with _as_new(kept_elsewhere) as page:
        yield page


@contextmanager
def _as_new(kept: Screen) -> Iterator[Screen]:
    kept.make_as_new()
    yield kept
    for page in kept.page.context.pages:
        if page is not kept.page:
            page.close()
    kept.page.context.clear_permissions()
    try:
        kept.check()
    finally:
        kept.page.goto(kept.url + BARE)
