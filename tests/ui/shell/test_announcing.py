"""The dashboard says where it is when its database is open, and what is wrong when it is not."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.errors import StoreError
from docgraph.ui.frame import launcher
from docgraph.ui.shell import server

ADDRESS = "http://127.0.0.1:8501"


@pytest.fixture(autouse=True)
def launched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dashboard that serves and has not opened its database; what is warmed up beside that does not matter here."""
    monkeypatch.setattr(launcher, "_serve", lambda *_: None)
    monkeypatch.setattr(launcher, "free_port", lambda *_: 8501)
    monkeypatch.setattr(server, "HEAVY", ())
    monkeypatch.setattr(server.gc, "freeze", lambda: None)
    launcher.launch("127.0.0.1", 8501)


def test_the_address_is_printed_once_and_not_before_the_database_is_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before: list[str] = []
    monkeypatch.setattr(server, "_open_workspace", lambda: before.append(capsys.readouterr().out))
    server._warm_up()
    assert before == [""]
    assert capsys.readouterr() == (f"docgraph is on {ADDRESS}   (Ctrl+C stops it)\n", "")
    server._warm_up()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("problem", "message", "hint"),
    [
        (StoreError("no server\nanswers", hint="start it"), "no server answers", "start it"),
        (RuntimeError("a bug"), "the dashboard met an unexpected error as it opened", "the lines below"),
    ],
)
def test_a_database_that_does_not_open_is_an_error_with_the_way_out_and_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], problem: Exception, message: str, hint: str
) -> None:
    def fail() -> Any:
        raise problem

    monkeypatch.setattr(server, "_open_workspace", fail)
    server._warm_up()
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: {message}\nhint:  {hint}")
    assert f"{ADDRESS} says the same, and tries again when asked to." in err
