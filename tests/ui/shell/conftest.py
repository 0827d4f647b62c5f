"""A house with two people in it, for the tests of its edge."""

from __future__ import annotations

import pytest
from streamlit.web.server import server_util

from docgraph.settings import Settings
from docgraph.ui.frame.quotas import Limits, Quotas
from docgraph.ui.shell.edge import House
from tests.ui.shell.asking import ORIGIN, SECRET, People


@pytest.fixture
def people() -> People:
    return People()


@pytest.fixture
def house(people: People, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(server_util, "get_cookie_secret", lambda: SECRET)
    return House(Limits.of(Settings()), Quotas(dict), lambda: people, origin=ORIGIN)
