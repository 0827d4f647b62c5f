"""Turns a file's bytes into clean text: known encodings, Unix newlines, nothing a database would refuse."""

from __future__ import annotations

import codecs
import re

from docgraph.boundary.limits import MAX_BYTES, MAX_LINE
from docgraph.domain.spelling import plain_letters

_SAMPLE = 65_536
# Longest mark first: the UTF-32-LE mark begins with the UTF-16-LE one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings in which text files without a mark are really met; guessing among all of Python's finds nonsense.
_LIKELY = [
    "cp1252",
    "latin_1",
    "cp1250",
    "iso8859_2",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "shift_jis",
    "euc_jp",
    "gb18030",
    "big5",
    "euc_kr",
    "mac_roman",
]
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONG_SPACE = re.compile(r"[\r\x0b\x0c\x85\u2028\u2029]")


def decode(data: bytes, *, max_bytes: int = MAX_BYTES, max_line: int = MAX_LINE) -> str:
    """The text in ``data``: UTF-8, UTF-16/32 by byte order mark, else the encoding that fits best.

    Raises ValueError with one line that names what was found: too large, empty, binary, no encoding, a huge line.
    """
    check_size(data, max_bytes)
    text = clean(_decoded(data))
    if not text.strip():
        raise ValueError("the file has no text: only white space")
    check_lines(text, max_line)
    return text


def decode_prose(data: bytes, *, max_bytes: int = MAX_BYTES, max_line: int = MAX_LINE) -> str:
    """What ``decode`` gives, with letters in one form: composed, no ligatures, no soft hyphens. Raises as it does."""
    return plain_letters(decode(data, max_bytes=max_bytes, max_line=max_line))


def encoding_of(data: bytes) -> str:
    """The encoding that ``decode`` reads the bytes in, by Python's name. Raises ValueError as it does."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _best(data, error)[0]
    return "utf-8"


def check_size(data: bytes, max_bytes: int) -> None:
    """Raises ValueError for an empty file and for one of more than ``max_bytes`` bytes."""
    if not data:
        raise ValueError("the file is empty: 0 bytes")
    if len(data) > max_bytes:
        raise ValueError(f"the file has {len(data):,} bytes; at most {max_bytes:,} are read: split it into several")


def check_length(text: str, limit: int = MAX_BYTES) -> None:
    """Raises ValueError for the text of a document with more than ``limit`` characters."""
    if len(text) > limit:
        raise ValueError(f"the text has {len(text):,} characters; at most {limit:,} are read: split it into several")


def check_lines(text: str, max_line: int) -> None:
    """Raises ValueError for a line of more than ``max_line`` characters."""
    if len(text) <= max_line:
        return
    start = 0
    while len(text) - start > max_line:
        end = text.find("\n", start, start + max_line + 1)
        if end < 0:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            number = text.count("\n", 0, start) + 1
            raise ValueError(
                f"line {number} has {end - start:,} characters; at most {max_line:,} are read: "
                "break it up, or leave out data that is embedded in the text"
            )
        start = max(text.rfind("\n", start, start + max_line + 1), end) + 1


def clean(text: str) -> str:
    """``text`` with Unix newlines, without NUL, and with U+FFFD for lone surrogates, which no database stores."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str, limit: int = 300) -> str:
    """``text`` on one line: control characters and runs of white space become one space; at most ``limit`` long."""
    flat = " ".join(_CONTROL.sub(" ", _LONG_SPACE.sub(" ", clean(text))).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data, encoding)
    nul = data.find(b"\x00")
    if nul >= 0:
        raise ValueError(f"the file is binary: a NUL byte at position {nul:,}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = _guessed(data, error)
    n_control = len(_CONTROL.findall(text))
    if n_control * 50 > len(text):
        raise ValueError(f"the file is binary: {n_control:,} control characters among {len(text):,}")
    return text


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"the file starts like {encoding} but is not: {error.reason} at byte {error.start:,}"
        ) from None


def _guessed(data: bytes, error: UnicodeDecodeError) -> str:
    encoding, found = _best(data, error)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as other:
        raise ValueError(
            f"the encoding is not known: {found}, nor {encoding} (byte at position {other.start:,})"
        ) from None


def _best(data: bytes, error: UnicodeDecodeError) -> tuple[str, str]:
    """(the encoding that fits best, why it is not UTF-8)."""
    import charset_normalizer  # for the few texts that are no UTF-8

    found = f"not UTF-8 (byte 0x{data[error.start]:02x} at position {error.start:,})"
    # The sample holds the first byte that is not ASCII's, which is where encodings differ.
    start = max(0, error.start - _SAMPLE // 2)
    best = charset_normalizer.from_bytes(data[start : start + _SAMPLE], cp_isolation=_LIKELY).best()
    if best is None:
        raise ValueError(f"the encoding is not known: {found}, and no other encoding fits")
    return str(best.encoding), found


_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_UNSAFE_IN_JSON = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet takes for a formula, spaces aside."""


def printable(text: str) -> str:
    """``text`` with every character that could steer a terminal or reorder a line written as an escape."""
    return _UNSAFE.sub(lambda found: _escaped(found.group()), text)


def printable_json(text: str) -> str:
    """JSON with the same characters as escapes of JSON, which has written those below U+0020 so itself."""
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
