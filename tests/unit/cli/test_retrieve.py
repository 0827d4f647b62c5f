"""``docgraph retrieve``: what is wrong with its options is said in one line, with the value, before anything opens."""

from __future__ import annotations

import re

import pytest

from tests.command_line import running


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--channel", "c" * 300), r"^error: channel: .*at most 200 characters \(it was 'c{60}'\)\n"),
        (("--provider", ""), r"^error: provider_override: .*at least 1 character \(it was ''\)\n"),
        (("--type", "no such\ntype"), r"^error: relation_types\.0: .*\(it was 'no such\\ntype'\)\n"),
    ],
    ids=["channel", "provider", "type"],
)
def test_a_value_that_no_request_has_is_named_with_its_field(
    options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = running("retrieve", capsys)("Why?", *options)
    assert (code, out) == (1, "")
    assert re.search(said, err), err
