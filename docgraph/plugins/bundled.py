"""The model and the word pieces that lie in wordllama's package, read as files: importing it would take longer."""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docgraph.errors import PluginError
from docgraph.plugins._merges import Merges
from docgraph.plugins._word_pieces import WordPieces

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PIECES = "tokenizers/l2_supercat_tokenizer_config.json"
WEIGHTS = "weights/l2_supercat_256.safetensors"
REINSTALL = "pip install --force-reinstall --no-deps wordllama==0.2.2.post0"
"""The release with one wheel for every system (docs/dependencies.md); any other with these files serves as well."""


@cache
def pieces() -> WordPieces:
    """What cuts texts: one for all, so that what is counted and then embedded is cut once. Raises as ``bundled``."""
    return WordPieces(word_pieces, Merges(bundled(PIECES)).ids)


@cache
def word_pieces() -> Tokenizer:
    """Llama 2's 32,000 pieces, without padding and truncation; read once, shared by all who only encode with them.

    Raises as ``bundled`` does.
    """
    from tokenizers import Tokenizer

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    tokenizer = Tokenizer.from_file(str(bundled(PIECES)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def bundled(name: str) -> Path:
    """A file of the installed package. Raises PluginError without the file, ModuleNotFoundError without the package."""
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'wordllama'", name="wordllama")
    path = Path(spec.submodule_search_locations[0]) / name
    if not path.is_file():
        raise PluginError(f"wordllama's file is missing: {name}", hint=REINSTALL)
    return path
