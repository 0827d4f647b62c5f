"""Embedders by name, as settings and commands write them: a plug-in, and the model that it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLUGIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_HASHED = re.compile(r"(?P<model>.+)@(?P<sha256>[0-9a-fA-F]{64})")


@dataclass(frozen=True)
class EmbedderChoice:
    """A plug-in with what it is given; None = its own default. What is stored in a database never chooses one."""

    plugin: str
    model: str | None = None
    sha256: str | None = None
    url: str | None = None
    dimension: int | None = None

    @property
    def options(self) -> dict[str, str | int]:
        """Those options that are given."""
        given = {"model": self.model, "sha256": self.sha256, "url": self.url, "dimension": self.dimension}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def name(self) -> str:
        """What people call it: the last part of its model, else the plug-in."""
        return re.split(r"[/\\]", self.model.rstrip("/\\"))[-1] if self.model else self.plugin

    @property
    def words(self) -> str:
        """``onnx=/models/minilm``, as ``DOCGRAPH_EMBEDDERS`` takes it."""
        hashed = f"@{self.sha256}" if self.sha256 else ""
        return f"{self.plugin}={self.model}{hashed}" if self.model else self.plugin


def parse_embedders(text: str) -> tuple[EmbedderChoice, ...]:
    """``onnx, onnx=/models/minilm, onnx=/models/bge@<sha256>`` in their order, each once. Raises ValueError."""
    return tuple(dict.fromkeys(parse_embedder(part) for part in text.split(",") if part.strip()))


def checked_embedders(text: str) -> str:
    """The text as it is. Raises ValueError."""
    parse_embedders(text)
    return text


def parse_embedder(text: str) -> EmbedderChoice:
    """One of them. Raises ValueError."""
    plugin, _, model = (each.strip() for each in text.partition("="))
    if _PLUGIN.fullmatch(plugin) is None:
        raise ValueError(f"{plugin[:40]!r} is not an embedder plug-in; write onnx, or onnx=/models/minilm")
    if hashed := _HASHED.fullmatch(model):
        return EmbedderChoice(plugin, hashed["model"], hashed["sha256"].lower())
    return EmbedderChoice(plugin, model or None)
