"""A question searched in the process itself: what it finds in the codes is given to the server's statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from psycopg.adapt import Dumper
from psycopg.postgres import types
from psycopg.pq import Format

from docgraph.plugins.stores.postgres.statements import family
from docgraph.plugins.stores.postgres.statements.values import Texts, array_head
from docgraph.plugins.stores.postgres.vector_cache.words import Places, Word, fits, holding_most

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.vector_cache.codes import Codes
    from docgraph.plugins.stores.postgres.vector_cache.words import Words

SQL = family("vector_cache")
Ask = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]
"""The rows of a statement with its values, on the snapshot that the codes are of."""
FEW = 4_000
"""Holders of a word whose places are read at once: the server would look at as many."""
_NONE = np.zeros(0)
_PER_HOLDER = 20
"""Bytes, about, that the places of a word take for each document that holds it."""


_KINDS = {np.dtype(np.int32): "int4", np.dtype(np.int64): "int8", np.dtype(np.float64): "float8"}


@dataclass(frozen=True)
class SentArray:
    """An array as it goes over the wire; the statement says of which type it is."""

    sent: bytes

    @classmethod
    def of_texts(cls, texts: Sequence[bytes]) -> SentArray:
        """Each as ``with_length`` has made it."""
        return cls(array_head(len(texts), types["text"].oid) + b"".join(texts))

    @classmethod
    def of_numbers(cls, numbers: npt.NDArray[np.generic]) -> SentArray:
        """Whole ones of 32 or 64 bits, or others of 64."""
        size = numbers.dtype.itemsize
        rows = np.empty(len(numbers), dtype=[("size", ">i4"), ("number", numbers.dtype.newbyteorder(">"))])
        rows["size"], rows["number"] = size, numbers
        return cls(array_head(len(numbers), types[_KINDS[numbers.dtype]].oid) + rows.tobytes())


class SentArrayDumper(Dumper):
    """As it is."""

    format = Format.BINARY

    def dump(self, obj: SentArray) -> bytes:
        """See ``psycopg.adapt.Dumper.dump``."""
        return obj.sent


@dataclass
class CachedSearch:
    """The questions of one snapshot, whose codes are those of ``codes``."""

    name: str
    codes: Codes
    words: Words
    ask: Ask
    _bits: dict[bytes, str] = field(default_factory=dict)
    _known_before: set[str] = field(default_factory=set)

    def found(self, given: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """What the statement ``given`` wants in place of the server's look at bits and words, by the names in it."""
        bits = self._bits_of(values["vector"])
        near_ids, near_places = self.codes.near(bits, values["n_near"])
        found: dict[str, Any] = {
            "near_ids": SentArray.of_texts(near_ids),
            "near_places": SentArray.of_numbers(near_places),
        }
        if "%(head_ids)s" in given:
            found["head_ids"] = SentArray.of_texts(self.codes.near_heads(bits, values["n_pool"]))
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
        """The question's stored words with their weights; the documents that hold most of them, and their fit."""
        numbered = {key: number for number, key in self.ask(SQL["words"], {"text": text})}
        words, total = self._words(list(numbered)), len(self.codes.ids)
        held = {key: words[key] for key in numbered if words[key].n}
        documents = holding_most(list(held.values()), n, n_documents=total)
        places = self._places(held)
        known = fits([(held[key], places[key]) for key in held], documents, n_documents=total) if places else _NONE
        return {
            "words": [numbered[key] for key in held],
            "keys": Texts(held),
            "idfs": [word.idf for word in held.values()],
            "chosen_ids": SentArray.of_texts(self.codes.ids_of(documents)),
            "chosen_fits": SentArray.of_numbers(known),
        }

    def _words(self, keys: Sequence[str]) -> dict[str, Word]:
        """Those that are kept, and the others read on the question's own snapshot."""
        revision, total = self.codes.content_revision, len(self.codes.ids)
        found = self.words.kept(Word, self.name, revision, keys)
        self._known_before = set(found)
        if missing := [key for key in keys if key not in found]:
            number_of, read = self.codes.number_of, {}
            for key, ids, idf, weight in self.ask(SQL["holding"], {"keys": Texts(missing), "total": total}):
                documents = [number_of[document_id] for document_id in ids]
                read[key] = Word.of(documents, n_documents=total, idf=idf, weight=weight)
            self.words.keep(self.name, revision, read)
            found |= read
        return found

    def _places(self, held: Mapping[str, Word]) -> dict[str, Places]:
        """Where the words stand, of all of them, or nothing: then the server says how well documents fit.

        A frequent word is read when it is asked for the second time: the server looks at fewer places than it has.
        """
        revision = self.codes.content_revision
        found = self.words.kept(Places, self.name, revision, list(held))
        missing = [key for key in held if key not in found]
        if any(self._is_heavy(key, held[key]) for key in missing):
            return {}
        if missing:
            read = {key: Places.of(*sent) for key, *sent in self.ask(SQL["places"], {"keys": Texts(missing)})}
            self.words.keep(self.name, revision, read)
            found |= read
        return found

    def _is_heavy(self, key: str, word: Word) -> bool:
        """Whether reading its places costs more than the server saves, or takes too much room."""
        return word.n > FEW and (key not in self._known_before or _PER_HOLDER * word.n > self.words.most // 8)
