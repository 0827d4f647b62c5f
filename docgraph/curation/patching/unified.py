"""A unified diff as ``git apply`` and ``patch`` take it: bytes as they are, names quoted where they must be."""

from __future__ import annotations

import difflib

CONTEXT = 3
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified(name: str, before: str, after: str) -> str:
    """The difference of two texts of the file ``name``; "" = none. Lines end at ``\\n`` alone, as git reads them."""
    old, new = _lines(before), _lines(after)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    head = max(0, head - CONTEXT)
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    tail = max(0, tail - CONTEXT)
    matcher = difflib.SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=True)
    pieces = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        spans = (_span(head + first[1], head + last[2]), _span(head + first[3], head + last[4]))
        pieces.append(f"@@ -{spans[0]} +{spans[1]} @@\n")
        for tag, i, j, k, m in group:
            if tag == "equal":
                pieces += [_line(" ", line) for line in old[head + i : head + j]]
            else:
                pieces += [_line("-", line) for line in old[head + i : head + j]]
                pieces += [_line("+", line) for line in new[head + k : head + m]]
    return f"--- {quoted(f'a/{name}')}\n+++ {quoted(f'b/{name}')}\n{''.join(pieces)}" if pieces else ""


def quoted(name: str) -> str:
    """A path as git writes it in a diff: in C quotes with octal bytes unless it is plain; a tab ends spaces."""
    data = name.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in (34, 92) for byte in data):
        return f"{name}\t" if " " in name else name
    return '"' + "".join(_escaped(byte) for byte in data) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    whole = [f"{line}\n" for line in lines[:-1]]
    return [*whole, lines[-1]] if lines[-1] else whole


def _line(mark: str, line: str) -> str:
    return f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _span(start: int, end: int) -> str:
    length = end - start
    first = start if length == 0 else start + 1
    return str(first) if length == 1 else f"{first},{length}"
