"""The dashboard's script in this process, over the reference store and a small deterministic embedder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import streamlit as st
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.domain.finding import Rule
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from docgraph.ui.frame import navigation, resources, visitor
from docgraph.ui.parts.ingestion.job import IMPORT
from docgraph.ui.relationships import fragments
from docgraph.ui.shell.server import SHELL

Open = Callable[..., AppTest]
SECONDS = 120
"""How long a page or a job may take on a busy machine."""


def page_text(at: AppTest) -> str:
    """All HTML that the script put on the page (styles left out), in order."""
    return "\n".join(block.proto.body for block in at.get("html") if "<style>" not in block.proto.body)


@pytest.fixture(scope="session", autouse=True)
def _nothing_looked_for_twice() -> Iterator[None]:
    """What Streamlit does for each ``AppTest`` or run, and took half of the time: it is the same for all of them.

    It looks through the files of all installed packages for components, and collects the garbage of the process.
    """
    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        config.set_option("runner.postScriptGC", False)
        yield
    config.set_option("runner.postScriptGC", True)


@pytest.fixture
def docgraph(monkeypatch: pytest.MonkeyPatch) -> Iterator[Docgraph]:
    """An empty database that the pages see as theirs; its workspace is ``harbor``."""
    monkeypatch.setenv("DOCGRAPH_WORKSPACE", "harbor")
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(plugins.build("loaders", "markdown"), plugins.build("loaders", "text")),
        extractors=(plugins.build("extractors", "front_matter"),),
        clock=time.perf_counter,
    )
    opened = Docgraph(adapters, "harbor")
    monkeypatch.setattr(resources, "connect", lambda **_: opened)
    monkeypatch.setenv("DOCGRAPH_IMPORT_FROM_PATH", "true")
    monkeypatch.setattr(visitor, "is_local", lambda: True)
    # AppTest cannot run a fragment alone: its pages are unknown then. The whole page is drawn instead.
    monkeypatch.setattr(fragments, "redraw", lambda: None)
    st.cache_resource.clear()
    yield opened
    st.cache_resource.clear()


@pytest.fixture
def harbor(docgraph: Docgraph) -> Docgraph:
    """Three documents; the decision explains the queue, and names one document that does not exist."""
    decision = "---\nid: adr-1\ntitle: Bounded queue\ntype: decision\nexplains: [queue]\nreferences: [gone]\n---\n"
    filler = "The queue had no end. " * 60
    files = {
        "adr-1.md": decision + f"# Bounded queue\n\n{filler}\n\n## Decision\n\nAt most 400 bookings. {filler}\n",
        "queue.md": "---\nid: queue\ntitle: Booking queue\ntype: service\n---\nBookings wait here for a worker.\n",
        "glossary.md": "---\nid: glossary\ntitle: Glossary\n---\nA slot is not a hold.\n",
    }
    docgraph.ingest_files([(name, text.encode()) for name, text in files.items()])
    return docgraph


@pytest.fixture
def checked(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """Harbor with the checks of the product: one missing document, one document without a relationship."""
    checks = tuple(plugins.build("checks", name) for name in plugins.available("checks"))
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, checks=checks))
    harbor.rules.set({"edge_without_mention": Rule(on=False)})
    return harbor


@pytest.fixture
def open_page() -> Open:
    """``open_page("library", show="Health")``: that page, after its first run, without an uncaught error."""

    def opened(name: str = "home", **query: str) -> AppTest:
        at = AppTest.from_file(str(SHELL), default_timeout=SECONDS)
        at.query_params.update(query)
        if name != "home":
            target = navigation.page(name)
            assert target is not None, f"no page is called {name}"
            at.switch_page(str(target.path))
        at.run()
        assert not at.exception
        return at

    return opened


def edit_as(at: AppTest, name: str = "Ann") -> AppTest:
    """Switch editing of relationships on under this name."""
    at.session_state["docgraph.state"].page["relationships"].by = name
    at.run()
    assert not at.exception
    return at


def press(at: AppTest, key: str) -> AppTest:
    """Click the button of this key; the page draws without an uncaught error."""
    at.button(key=key).click().run()
    assert not at.exception
    return at


def job_done(at: AppTest) -> AppTest:
    """Wait until the session's import has ended, then run the page again."""
    job = at.session_state["docgraph.state"].page.get(IMPORT)
    assert job is not None, "no import was started"
    assert job.wait(SECONDS), "the import did not end"
    at.run()
    assert not at.exception
    return at


BAR = ("dg-places", "dg-header")
"""The containers of the bar above every page."""

SHELL_PARTS = ("docgraph-address", "docgraph-search-focus", "docgraph-remembering")


def on_page(at: AppTest, kind: str) -> list[Any]:
    """The elements of this kind (as ``AppTest.get`` calls it) that the page itself draws, without those of its bar."""

    def walk(node: Any) -> Iterator[Any]:
        key = str(getattr(getattr(node, "proto", None), "id", ""))
        if key.endswith(BAR):
            return
        for child in getattr(node, "children", {}).values():
            yield from walk(child)
        if getattr(node, "type", "") == kind and getattr(node, "key", "") not in SHELL_PARTS:
            yield node

    return list(walk(at.main))
