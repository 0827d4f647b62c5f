"""The embedder of a workspace: the configured one, or another that the settings know. No database ever names a file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from docgraph.errors import DocgraphError, EmbeddingMismatchError

if TYPE_CHECKING:
    from docgraph.boundary.embedders import EmbedderChoice
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.ports import Embedder


Build = Callable[["EmbedderChoice"], "Embedder"]
Bundled = Callable[["EmbedderInfo"], "EmbedderChoice | None"]


class KnownEmbedders:
    """Those beside the configured one: ``named`` by the settings, and ``bundled`` ones, which need no file named.

    Each is built when a workspace asks for it, once. ``installed`` = those that packages carry, which are there.
    Safe to share between threads.
    """

    def __init__(
        self,
        build: Build | None = None,
        named: Sequence[EmbedderChoice] = (),
        *,
        bundled: Bundled = lambda _: None,
        installed: Sequence[EmbedderChoice] = (),
    ) -> None:
        self.named, self.installed = tuple(named), tuple(installed)
        self._build, self._bundled = build, bundled
        self._built: dict[EmbedderChoice, Embedder] = {}
        self._lock = threading.Lock()

    @property
    def choices(self) -> tuple[EmbedderChoice, ...]:
        """All that can be chosen by name: those of the settings, then those that packages carry, each once."""
        return tuple(dict.fromkeys((*self.named, *self.installed)))

    def built(self, choice: EmbedderChoice) -> Embedder:
        """The embedder that is meant. Raises PluginError, EmbedderError."""
        with self._lock:
            if choice not in self._built:
                if self._build is None:
                    raise EmbeddingMismatchError("no other embedder can be built here", hint="configure it instead")
                self._built[choice] = self._build(choice)
            return self._built[choice]

    def of(self, workspace: str, info: EmbedderInfo, *, configured: EmbedderInfo) -> Embedder:
        """The one that made vectors of ``info``. Raises EmbeddingMismatchError, which says what to set."""
        tried = []
        for choice in self._candidates(info):
            try:
                if (found := self.built(choice)).info == info:
                    return found
                tried.append(f"{choice.words} is {found.info.embedder_id}")
            except DocgraphError as error:
                tried.append(f"{choice.words}: {error.message}")
        said = "".join(f"; {each}" for each in tried)
        model = info.model.partition("@")[0] or "MODEL"
        raise EmbeddingMismatchError(
            f"workspace {workspace!r} holds vectors of {info.embedder_id}, "
            f"but the configured embedder is {configured.embedder_id}{said}",
            hint=f"configure {info.embedder_id}, or name where {model} lies: DOCGRAPH_EMBEDDERS={info.name}=FOLDER; "
            f"import into a new workspace, or embed this one anew: docgraph workspaces embed {workspace}",
        )

    def _candidates(self, info: EmbedderInfo) -> Sequence[EmbedderChoice]:
        """Of the plug-in that made them; a model of another plug-in need not be loaded to know that it did not."""
        bundled = self._bundled(info)
        named = [choice for choice in self.named if choice.plugin == info.name]
        return named if bundled is None or bundled in named else [*named, bundled]
