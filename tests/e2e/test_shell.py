"""The frame in a real browser: deep links, headers, theme, width, and the way to the first plan."""

from __future__ import annotations

import re
import socket
import urllib.request
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from docgraph.boundary.hosts import parse_host
from docgraph.ui.shell.security_headers import HEADERS, content_security_policy
from tests.e2e.conftest import PLACE, WORKSPACE, Screen
from tests.e2e.workspace_places import gone_through

QUESTION = "Why do bookings get rejected when the queue is full?"


@pytest.mark.parametrize("path", ["/plan", "/library"])
def test_a_deep_link_opens_inside_the_frame_on_the_first_visit(screen: Screen, path: str) -> None:
    page = screen.open(path)
    for title in ("Ask", "Questions", "Relationships"):
        expect(page.locator(PLACE).filter(has_text=title)).to_be_visible()
    expect(page.locator(WORKSPACE)).to_have_text("harbor")
    expect(page.locator(".dg-readonly")).to_be_visible()
    assert page.locator('[data-testid="stSidebar"]').count() == 0


def test_two_clicks_lead_from_the_start_to_the_first_plan(screen: Screen) -> None:
    page = screen.open("/")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name=re.compile("Build plan")).click()
    expect(page).to_have_url(re.compile(r"/plan\?.*query=Why"))
    screen.settle()
    expect(page.get_by_label("Question")).to_have_value(QUESTION)
    expect(page.locator("canvas").first).to_be_visible()


def test_one_click_on_a_sample_shows_its_plan(screen: Screen) -> None:
    page = screen.open("/")
    page.locator(".st-key-dg-samples a").first.click()
    expect(page).to_have_url(re.compile(r"/plan\?.*query=Why"))
    screen.settle()
    expect(page.locator("canvas").first).to_be_visible()


def test_the_theme_switch_changes_every_token(screen: Screen) -> None:
    page = screen.open("/")
    card = page.locator('[class*="st-key-dg-door-"]').first
    expect(card).to_have_css("background-color", "rgb(247, 248, 250)")
    screen.choose_theme("dark")
    expect(card).to_have_css("background-color", "rgb(23, 28, 35)")
    expect(page.locator(".dg-h1")).to_have_css("color", "rgb(231, 235, 240)")
    screen.choose_theme("light")
    expect(card).to_have_css("background-color", "rgb(247, 248, 250)")


def test_nothing_is_wider_than_a_small_screen(screen: Screen) -> None:
    page = screen.open("/library")
    for place in gone_through(screen):
        assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 1280, place


def test_the_header_keeps_its_parts_apart_on_a_small_screen(reader: Screen) -> None:
    page = reader.read("/")
    nav, state = page.locator(".st-key-dg-places").bounding_box(), page.locator(".st-key-dg-header").bounding_box()
    menu = page.get_by_test_id("stMainMenu").bounding_box()
    assert nav is not None
    assert state is not None
    assert menu is not None
    assert nav["x"] + nav["width"] <= state["x"]
    assert state["x"] + state["width"] <= menu["x"]
    assert state["y"] >= 0
    assert state["y"] + state["height"] <= 48


def test_a_phone_has_every_place_and_is_not_wider_than_itself(reader: Screen) -> None:
    page = reader.read("/")
    reader.resize(390, 844)
    for title in ("Ask", "Questions", "Relationships"):
        expect(page.locator(PLACE).filter(has_text=title)).to_be_in_viewport()
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


def test_a_key_opens_the_search_and_enter_goes_there(reader: Screen) -> None:
    page = reader.read("/", last=True)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("ADR-011")
    expect(page.get_by_role("option").first).to_contain_text("ADR-011")
    page.keyboard.press("Enter")
    page.wait_for_url("**/library?**document=adr-011**")


def choose_workspace(screen: Screen, name: str) -> None:
    """By the menu of the bar."""
    page = screen.page
    page.locator(".st-key-dg-workspace button").click()
    page.get_by_role("combobox", name="Workspace").click()
    page.get_by_role("option", name=name, exact=True).click()
    expect(page.locator(WORKSPACE)).to_have_text(name)
    page.keyboard.press("Escape")
    screen.settle()


def test_the_workspace_stays_chosen_from_page_to_page(screen: Screen) -> None:
    page = screen.open("/?workspace=hostile")
    expect(page.locator(WORKSPACE)).to_have_text("hostile")
    page.locator(".st-key-dg-workspace button").click()
    page.get_by_role("link", name="Documents", exact=True).click()
    expect(page).to_have_url(re.compile(r"/library\?(.*&)?workspace=hostile"))
    screen.settle()
    expect(page.locator(WORKSPACE)).to_have_text("hostile")


def test_every_address_names_the_workspace(screen: Screen) -> None:
    """That of the settings too: with other settings the same link would show another corpus."""
    page = screen.open("/plan?query=queue")
    expect(page).to_have_url(re.compile(r"[?&]workspace=harbor"))
    choose_workspace(screen, "hostile")
    expect(page).to_have_url(re.compile(r"[?&]workspace=hostile"))
    for name, path in (("Compare", "compare"), ("Questions", "query_sets"), ("Relationships", "relationships")):
        page.locator(PLACE).filter(has_text=name).first.click()
        expect(page).to_have_url(re.compile(rf"/{path}\?(.*&)?workspace=hostile"))
        screen.settle()
    choose_workspace(screen, "harbor")
    expect(page).to_have_url(re.compile(r"[?&]workspace=harbor"))


def test_back_goes_through_every_question(screen: Screen) -> None:
    """A question that was typed took the place of the one before it in the browser's history."""
    page = screen.open("/")
    questions = (QUESTION, "Who is allowed to give out personal data?", "How are cars and lorries loaded on MV Tern?")
    for question in questions:
        page.get_by_label("Question", exact=True).fill(question)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(re.escape(urlencode({"query": question}))))
        screen.asked(question)
    for question in questions[1::-1]:
        page.go_back()
        expect(page.get_by_label("Question", exact=True)).to_have_value(question)
        screen.settle()
    page.go_forward()
    expect(page.get_by_label("Question", exact=True)).to_have_value(questions[1])


def test_a_question_goes_along_from_view_to_view(screen: Screen) -> None:
    page = screen.open("/")
    page.get_by_label("Question", exact=True).fill(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_url("**/plan?**")
    screen.settle()
    for name in ("Compare", "Relationships", "Ask", "Questions", "Ask"):
        page.locator(PLACE).filter(has_text=name).first.click()
        page.wait_for_url(re.compile({"Ask": "/plan", "Questions": "/query_sets"}.get(name, f"/{name.lower()}")))
        screen.settle()
        if name in ("Compare", "Ask"):
            expect(page.get_by_text(QUESTION).or_(page.locator(f'input[value="{QUESTION}"]')).first).to_be_visible()


def test_every_answer_of_the_server_carries_the_headers(app_url: str) -> None:
    for path in ("/", "/_stcore/health", "/docgraph-assets/vis-network.min.js"):
        with urllib.request.urlopen(app_url + path, timeout=60) as answer:
            sent = {name.lower(): value for name, value in answer.headers.items()}
        policy = content_security_policy(parse_host(urlsplit(app_url).netloc))
        for name, value in ((b"content-security-policy", policy.encode()), *HEADERS):
            assert sent[name.decode()] == value.decode(), f"{name!r} at {path}"


@pytest.mark.parametrize(("host", "accepted"), [("127.0.0.1", True), ("rebound.example", False)])
def test_a_web_socket_is_opened_for_this_machine_s_names_only(app_url: str, host: str, accepted: bool) -> None:
    """A page on another site whose name was rebound to 127.0.0.1 must not be able to drive the dashboard."""
    port = urlsplit(app_url).port
    request = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: streamlit\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request.encode())
        status = connection.recv(64).split(b" ")[1]
    assert (status == b"101") is accepted


def test_a_reload_keeps_the_name_and_editing(screen: Screen) -> None:
    """A reload is a new session: it began as Read-only, under no name."""
    page = screen.open("/relationships?workspace=harbor")
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Editing on").click()
    expect(page.locator(".dg-readonly")).to_have_text("Editing on")
    page.wait_for_function("() => (sessionStorage.getItem('docgraph.editing') || '').includes('true')")
    page.reload()
    expect(page.locator(".dg-readonly")).to_have_text("Editing on")


def test_a_server_that_is_away_is_said_in_words_of_our_own(screen: Screen) -> None:
    """*Are you connected to the internet?* was asked of a server on the same machine."""
    page = screen.page
    page.add_init_script(
        "const Socket = WebSocket; window.opened = [];"
        "window.WebSocket = class extends Socket { constructor(...given) { super(...given); opened.push(this) } }"
    )
    page = screen.open("/")
    page.route("**/_stcore/**", lambda route: route.abort())
    page.evaluate("() => opened.forEach((socket) => socket.close())")
    expect(page.get_by_role("dialog")).to_contain_text("The docgraph server does not answer")
    expect(page.get_by_role("dialog")).not_to_contain_text("internet")
    page.unroute_all()
    expect(page.get_by_role("dialog")).to_have_count(0)
    screen.settle()
    screen.errors.clear()


FOCUS = """() => { let at = document.activeElement
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement
  return (at && (at.getAttribute("aria-label") || at.innerText)) || "" }"""


def test_the_graph_is_a_few_presses_of_tab_away(screen: Screen) -> None:
    """It took 32 from the address bar."""
    page = screen.open(f"/plan?{urlencode({'query': QUESTION})}")
    page.locator('.dg[data-ready="1"]').last.wait_for()
    page.evaluate("() => document.activeElement && document.activeElement.blur()")
    seen: list[str] = []
    while len(seen) < 8 and not (seen and seen[-1].startswith("Plan graph")):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUS))
        if seen[-1] == "Skip to the picture":
            page.keyboard.press("Enter")
            expect(page.locator("#dg-picture")).to_be_focused()
    assert seen[-1].startswith("Plan graph"), seen
