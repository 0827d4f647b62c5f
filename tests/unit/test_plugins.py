"""Plug-ins stand in rooms of their folder, at any depth; those of other packages are found by their entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.errors import PluginError
from docgraph.plugins import tokenizers


def test_a_plug_in_is_found_in_whatever_room_it_stands_and_what_is_private_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = plugins.available("tokenizers")
    made = {
        "cellar/__init__.py": '"""A room."""\n',
        "cellar/deep/__init__.py": '"""A room of a room."""\n',
        "cellar/deep/letters.py": "def build():\n    return 'letters'\n",
        "cellar/_parts/__init__.py": "",
        "cellar/_parts/hidden.py": "def build():\n    return 'hidden'\n",
        "cellar/_words.py": "",
        "whole/__init__.py": "raise ImportError('a plug-in is not run to be found')\ndef build():\n    pass\n",
        "whole/part.py": "",
        "no_package/stray.py": "",
    }
    for name, text in made.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(tokenizers, "__path__", [*tokenizers.__path__, str(tmp_path)])
    assert plugins.available("tokenizers") == tuple(sorted((*own, "letters", "whole")))
    assert plugins.build("tokenizers", "letters") == "letters"
    (tmp_path / "cellar" / "letters.py").write_text("")
    with pytest.raises(PluginError, match=r"two tokenizers plug-ins are called 'letters': .*cellar\.deep\.letters"):
        plugins.available("tokenizers")


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
