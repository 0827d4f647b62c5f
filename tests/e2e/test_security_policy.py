"""The content security policy in a real browser: what it is for is refused. Every page meets it in every test."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import SMALL, Screen

ATTEMPTS = {
    "a script": (
        "script-src",
        "const s = document.createElement('script'); s.text = 'ran = 1'; document.body.append(s)",
    ),
    "a handler": ("script-src-attr", "document.body.insertAdjacentHTML('beforeend', '<img src=data: onerror=ran=1>')"),
    "eval": ("script-src", "setTimeout(() => { new Function('window.ran = 1')() })"),  # the debugger itself may
    "a socket": ("connect-src", "try { new WebSocket('ws://127.0.0.1:9') } catch {}"),
    "a request": ("connect-src", "fetch('http://127.0.0.1:9/').catch(() => 0)"),
    "a picture": ("img-src", "new Image().src = 'http://127.0.0.1:9/pixel'"),
    "a frame": ("frame-src", "const f = document.createElement('iframe'); f.src = '/'; document.body.append(f)"),
}
"""What is tried in a page → (the directive that forbids it, the script that tries)."""


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_what_the_policy_is_for_is_refused_and_heard(reader: Screen, attempt: str) -> None:
    directive, script = ATTEMPTS[attempt]
    page = reader.read("/")
    page.evaluate("""() => {
      window.heard = false
      document.addEventListener('securitypolicyviolation', () => { window.heard = true }, {once: true}) }""")
    page.evaluate(f"() => {{ {script} }}")
    page.wait_for_function("() => window.heard")
    assert [line.split()[0].removesuffix("-elem") for line in reader.violations] == [directive]
    assert page.evaluate("() => window.ran") is None
    reader.violations.clear()
    reader.errors.clear()  # what eval raises
    reader.foreign.clear()  # a request that the policy stops is told of, and never sent


ATTACK = """<!doctype html><script>
const target = new URLSearchParams(location.search).get('target')
const told = promise => promise.then(() => 'let through', () => 'refused')
const loaded = (kind, address) => told(new Promise((yes, no) => {
  const element = document.createElement(kind)
  element.onload = yes; element.onerror = no; element.src = target + address; document.head.append(element) }))
const sent = (address, options) => told(fetch(target + address, options))
const socket = address => told(new Promise((yes, no) => {
  const opened = new WebSocket(target.replace('http', 'ws') + address)
  opened.onopen = yes; opened.onerror = no }))
window.attack = async () => ({
  picture: await loaded('img', '/favicon.png'),
  script: await loaded('script', '/docgraph-assets/vis-network.min.js'),
  health: await sent('/_stcore/health', {mode: 'no-cors'}),
  metrics: await sent('/_stcore/metrics', {}),
  media: await sent('/media/0123456789.csv', {mode: 'no-cors'}),
  upload: await sent('/_stcore/upload_file/session/file', {method: 'PUT', body: 'x'}),
  uploadForm: await sent('/_stcore/upload_file/session/file', {method: 'POST', mode: 'no-cors', body: new FormData()}),
  removal: await sent('/_stcore/upload_file/session/file', {method: 'DELETE'}),
  component: await sent('/_stcore/bidi-components/x/y.js', {mode: 'no-cors'}),
  agent: await sent('/_stcore/agent/interact', {method: 'POST', mode: 'no-cors', body: '{}'}),
  socket: await socket('/_stcore/stream'),
})
</script>"""


@pytest.fixture
def foreign_site() -> Iterator[str]:
    """The address of a page of somebody else's, on this machine too: as near as a foreign page can come."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(ATTACK.encode())

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()
        thread.join()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_foreign_page_in_the_same_browser_gets_nothing_out_of_the_dashboard(
    browser: Browser, app_url: str, foreign_site: str, name: str
) -> None:
    context = browser.new_context(**SMALL)
    page = context.new_page()
    page.goto(f"{foreign_site}?target={app_url}".replace("http://127.0.0.1", f"http://{name}", 1))
    outcomes = page.evaluate("() => window.attack()")
    context.close()
    assert {step for step, outcome in outcomes.items() if outcome != "refused"} == set()
    assert len(outcomes) == 11
