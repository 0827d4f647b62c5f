"""Plug-ins of other packages are found by their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.errors import PluginError


def test_a_package_that_is_installed_adds_its_plug_in_beside_the_own_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = plugins.available("tokenizers")
    declared = tmp_path / "letters-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: letters\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text("[docgraph.tokenizers]\nletters = letters_for_docgraph\n")
    (tmp_path / "letters_for_docgraph.py").write_text("def build(*, step=1):\n    return ('letters', step)\n")
    with monkeypatch.context() as installed:
        installed.syspath_prepend(tmp_path)
        assert plugins.available("tokenizers") == tuple(sorted((*own, "letters")))
        assert plugins.build("tokenizers", "letters", step=3) == ("letters", 3)
        assert plugins.options("tokenizers", "letters") == {"step"}
        assert "letters" not in plugins.available("loaders")
    with pytest.raises(PluginError, match="no tokenizers plug-in is called 'letters'"):
        plugins.build("tokenizers", "letters")
