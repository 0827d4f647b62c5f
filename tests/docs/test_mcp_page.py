"""docs/mcp.md: its configurations for clients start the server, and its tables list what the server offers."""

from __future__ import annotations

import json
import re
from typing import Any

import typer

import docgraph
from docgraph.cli.commands import application
from tests import ROOT
from tests.integration.mcp_servers import asked

PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")


def _configured() -> list[dict[str, Any]]:
    blocks = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)]
    return [servers["docgraph"] for block in blocks for servers in block.values()]


def test_every_configuration_starts_the_server_or_names_its_address() -> None:
    flags = {flag for each in typer.main.get_command(application("mcp")).commands["mcp"].params for flag in each.opts}  # type: ignore[attr-defined]
    configured = _configured()
    assert len(configured) >= 4
    for each in configured:
        if "url" in each:
            assert each["url"].endswith("/mcp")
            assert set(each["headers"]) == {"Authorization"}
        else:
            assert (each["command"], each["args"][0]) == ("docgraph", "mcp")
            assert {word for word in each["args"] if word.startswith("-")} <= flags


def test_the_tables_list_what_the_server_offers() -> None:
    with docgraph.connect(store="memory", workspace="w") as dg:
        tools = {each.name for each in asked(dg, lambda c: c.list_tools(), writes_by="Ann").tools}
        prompts = {each.name for each in asked(dg, lambda c: c.list_prompts()).prompts}
        lists = {str(each.uri) for each in asked(dg, lambda c: c.list_resources()).resources}
        templates = {each.uri_template for each in asked(dg, lambda c: c.list_resource_templates()).resource_templates}
    listed = set(re.findall(r"^\| `([^`]+)` \|", PAGE, flags=re.MULTILINE))
    assert listed == tools | prompts | lists | templates
