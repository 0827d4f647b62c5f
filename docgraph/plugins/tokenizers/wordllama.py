"""The tokenizer that comes with wordllama (Llama 2's 32,000 pieces), read from the installed package: no download."""

from __future__ import annotations

from docgraph.plugins.bundled import PIECES, WordPieces, bundled, pieces

_BLOCK = 8_000
"""The splitter's time grows with the square of a stretch without boundaries; blocks keep it linear in the text."""
_LONGEST_TOKEN = 16
"""Characters in the longest piece of the vocabulary: n tokens never cover more than 16 n characters."""


def build() -> WordLlamaTokenizer:
    """The bundled tokenizer. Raises PluginError when the package lacks its file."""
    bundled(PIECES)
    return WordLlamaTokenizer(pieces())


class WordLlamaTokenizer:
    """Counts, shortens and splits (``ports.Tokenizer``); every call takes time linear in the text; thread-safe."""

    name = "wordllama"

    def __init__(self, pieces: WordPieces) -> None:
        self._pieces, self._count = pieces, pieces.count

    def count(self, text: str) -> int:
        """Number of tokens."""
        return self._count(_encodable(text))

    def shorten(self, text: str, max_tokens: int) -> str:
        """The longest beginning with at most ``max_tokens`` tokens, cut at white space where there is some."""
        if max_tokens <= 0:
            return ""
        text = _encodable(text)
        head = text[: max_tokens * _LONGEST_TOKEN + 1]
        if self.count(head) <= max_tokens:
            return text if len(head) == len(text) else head.rstrip()
        for tokens in range(max_tokens, 0, -1):
            shortened = self._cut(head, tokens)
            if self.count(shortened) <= max_tokens:
                return shortened
        return ""

    def split(self, text: str, max_tokens: int) -> list[str]:
        """Pieces of at most ``max_tokens`` (from 1) at paragraph, sentence and word boundaries, trimmed."""
        if max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, not {max_tokens}")
        from semantic_text_splitter import TextSplitter  # questions need none, and it takes its time to load

        # The splitter calls back: handing it the tokenizer would copy the whole vocabulary for each size.
        splitter = TextSplitter.from_callback(self._count, max_tokens)
        found = (piece for block in _blocks(_encodable(text)) for piece in splitter.chunks(block))
        pieces = [part for piece in found for part in self._within(piece, max_tokens)]
        return self._joined([piece for piece in pieces if piece.strip()], max_tokens)

    def _cut(self, head: str, tokens: int) -> str:
        end = self._pieces.tokenizer.encode(head, add_special_tokens=False).offsets[tokens - 1][1]
        if end < len(head) and not head[end].isspace():
            space = max(head.rfind(" ", 0, end), head.rfind("\n", 0, end), head.rfind("\t", 0, end))
            end = space if space > 0 else end
        return head[:end].rstrip()

    def _within(self, piece: str, max_tokens: int) -> list[str]:
        """The splitter trusts a piece of at most ``max_tokens`` characters unasked; byte-wise tokens can be more."""
        if len(piece) < 2 or len(piece) > max_tokens or self._count(piece) <= max_tokens:
            return [piece]
        half = len(piece) // 2
        return self._within(piece[:half], max_tokens) + self._within(piece[half:], max_tokens)

    def _joined(self, pieces: list[str], max_tokens: int) -> list[str]:
        """Rejoin the two pieces at a block's edge where they fit into one."""
        joined: list[str] = []
        sizes: list[int] = []
        for piece in pieces:
            size = self.count(piece)
            if joined and sizes[-1] + size + 2 <= max_tokens and size < max_tokens // 4:
                joined[-1], sizes[-1] = f"{joined[-1]}\n{piece}", sizes[-1] + size + 2
            else:
                joined.append(piece)
                sizes.append(size)
        return joined


def _blocks(text: str) -> list[str]:
    """``text`` in stretches of at most 8,000 characters that end at a paragraph, line or word where possible."""
    blocks, start = [], 0
    while len(text) - start > _BLOCK:
        end, half = start + _BLOCK, start + _BLOCK // 2
        for mark in ("\n\n", "\n", ". ", " "):
            found = text.rfind(mark, half, end)
            if found > 0:
                end = found + len(mark)
                break
        blocks.append(text[start:end])
        start = end
    blocks.append(text[start:])
    return blocks


def _encodable(text: str) -> str:
    """Lone surrogates cannot be tokenized; they become U+FFFD as in every store."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
