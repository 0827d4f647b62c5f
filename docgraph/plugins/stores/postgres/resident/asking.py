"""A question looked at by the process itself: what it finds in the codes is given to the server's statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docgraph.plugins.stores.postgres.resident.words import Word, holding_most
from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.values import Texts

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.resident.codes import Codes
    from docgraph.plugins.stores.postgres.resident.words import Words

SQL = family("resident")
Ask = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]
"""The rows of a statement with its values, on the snapshot that the codes are of."""


@dataclass
class Asking:
    """The questions of one snapshot, whose codes are those of ``codes``."""

    name: str
    codes: Codes
    words: Words
    ask: Ask
    _bits: dict[bytes, str] = field(default_factory=dict)

    def found(self, given: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """What the statement ``given`` wants in place of the server's look at bits and words, by the names in it."""
        bits = self._bits_of(values["vector"])
        near_ids, near_places = self.codes.near(bits, values["n_near"])
        found: dict[str, Any] = {"near_ids": Texts(near_ids), "near_places": near_places}
        if "%(head_ids)s" in given:
            found["head_ids"] = Texts(self.codes.near_heads(bits, values["n_pool"]))
        if "%(chosen_ids)s" in given:
            found |= self._chosen(values["text"], values["n_fit"])
        return found

    def _bits_of(self, vector: Any) -> str:
        """Asked of the server, whose arithmetic it is; once for each vector."""
        key = bytes(memoryview(vector)) if hasattr(vector, "tobytes") else repr(vector).encode()
        if key not in self._bits:
            self._bits[key] = self.ask(SQL["question"], {"vector": vector})[0][0]
        return self._bits[key]

    def _chosen(self, text: str, n: int) -> dict[str, Any]:
        """The question's words that anybody holds, with their weights, and the documents that hold most of them."""
        numbered = {key: number for number, key in self.ask(SQL["words"], {"text": text})}
        words = self._words(list(numbered))
        held = {key: words[key] for key in numbered if words[key].n}
        documents = holding_most(list(held.values()), n, n_documents=len(self.codes.ids))
        return {
            "words": [numbered[key] for key in held],
            "keys": Texts(held),
            "idfs": [word.idf for word in held.values()],
            "chosen_ids": Texts(self.codes.ids_of(documents)),
        }

    def _words(self, keys: Sequence[str]) -> dict[str, Word]:
        """Those that are kept, and the others read on the question's own snapshot."""
        revision, total = self.codes.content_revision, len(self.codes.ids)
        found = self.words.kept(self.name, revision, keys)
        if missing := [key for key in keys if key not in found]:
            number_of, read = self.codes.number_of, {}
            for key, ids, idf, weight in self.ask(SQL["holding"], {"keys": Texts(missing), "total": total}):
                documents = [number_of[document_id] for document_id in ids]
                read[key] = Word.of(documents, n_documents=total, idf=idf, weight=weight)
            self.words.keep(self.name, revision, read)
            found |= read
        return found
