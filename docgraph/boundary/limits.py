"""How much of a file is read: every limit that stands in front of a parser, with its reason.

The largest document among the public corpora that docgraph is tested with (PEPs, EIPs, KEPs, decision records, notes,
Wikipedia passages) has 170,273 characters, its longest line 39,527. Every limit is at least five times what they need.
"""

from __future__ import annotations

MAX_BYTES = 4_000_000
"""Bytes of one text file, and characters of one document's text in any format: "War and Peace" has 3.3 million.

An import cuts, counts and embeds all of it; four million characters take seconds and less than half a gigabyte.
"""

MAX_LINE = 200_000
"""Characters in one line of text. Cutting a stretch without a boundary costs most of all, and nobody reads it."""

MAX_HTML_BYTES = 5_000_000
"""Bytes of one page: the tree of a page takes up to forty times its size."""

MAX_TAGS = 60_000
"""Tags of one page, which is also the deepest that its tree can be; the walk over it does not recurse."""

MAX_PDF_BYTES = 20_000_000
"""Bytes of one PDF: pictures, which are not read, are most of it."""

MAX_PAGES = 2_000
"""Pages of one PDF."""

MAX_OPERATIONS = 1_000_000
"""Drawing operations of one PDF, which is what reading its text takes time for."""

MAX_OFFICE_BYTES = 50_000_000
"""Bytes of a Word, PowerPoint, OpenDocument or EPUB file: pictures, which are not read, are most of it."""

MAX_EXPANDED = 300_000_000
"""Bytes that such a file says it expands to; what it does not say is met by the converter's own bound on memory."""

MAX_CONVERSION_SECONDS = 20.0
"""Seconds that a converter may take for one file: a text of the size above takes two; odd mark-up can take for ever."""

MAX_CONVERSION_HEAP = 512_000_000
"""Bytes of memory that a converter may take for one file."""

MAX_CONVERSION_MEMORY = 700_000_000
"""Bytes for the converter and who runs it together: a book of 600 pages takes 400 million."""

MAX_NOTEBOOK_BYTES = 50_000_000
"""Bytes of one notebook: pictures among what its cells printed, which is not read, are most of it."""

MAX_CELLS = 10_000
"""Cells of one notebook."""

MAX_RECORD_FILE = 500_000_000
"""Bytes of a file of records: a whole corpus, read record by record."""

MAX_REFUSED = 10_000
"""Records of one file that are refused one by one, as many as a report tells; beyond, a file of which more is refused
than read is no file of records, and the rest of it is not read."""

MAX_RECORD = 10_000_000
"""Characters in one line of JSON: a text of the size above, with escapes, and its metadata."""

MAX_JSON_DEPTH = 100
"""Levels of arrays and objects in one line of JSON; metadata may have 30."""

MAX_JSON_VALUES = 50_000
"""Values in one line of JSON: each takes some fifty times the memory of its text; metadata may have 20,000."""

MAX_JSON_FILE = 100_000_000
"""Bytes of a JSON file that is read as a whole: a graph, a tree of requirements, a notebook."""

MAX_JSON_FILE_VALUES = 3_000_000
"""Values in such a file: a hundred thousand nodes with thirty attributes; they take half a gigabyte."""

MAX_GRAPH_BYTES = 100_000_000
"""Bytes of a graph in XML."""

MAX_GRAPH_TAGS = 2_000_000
"""Tags of a graph in XML, which is also the deepest that its tree can be: each takes some two hundred bytes."""

MAX_TABLE_BYTES = 100_000_000
"""Bytes of a Parquet table."""

MAX_TABLE_EXPANDED = 1_000_000_000
MAX_TABLE_ROWS = 1_000_000
"""What a Parquet table may expand to: a column of one value a million times takes next to nothing in the file."""

MAX_YAML_FILE = 1_000_000
MAX_YAML_VALUES = 100_000
"""Bytes and values of a YAML file that is read as a whole: the parser is written in Python, and takes ten seconds."""

MAX_FRONT_MATTER = 64_000
"""Characters of front matter. The parsers are written in Python and slow."""

MAX_FRONT_MATTER_VALUES = 5_000
"""Values in YAML front matter with every alias written out, so that ten lines cannot grow to a billion values."""

MAX_FRONT_MATTER_DEPTH = 40
"""Levels in front matter and in rules; more than metadata may have, so that what is refused is told alike."""

MAX_KEY_PARTS = 30
"""Dotted parts of one TOML key: as many levels as metadata may have. The parser's memory grows with their square."""

MAX_HEADER_LINES = 300
"""Lines of an RFC-822 block or a docinfo list; a longer one is text."""

MAX_HEADER_VALUE = 20_000
"""Characters kept of one header field with its continuation lines."""

MAX_OUTLINE_CHARACTERS = 2_000_000
MAX_OUTLINE_LINES = 40_000
"""Markdown and reStructuredText beyond either are kept without headings and links: finding them is the slow part."""

MAX_BRACKET_DEPTH = 16
"""Open brackets at one place of a Markdown line in which links are looked for: each one is tried to the line's end."""

MAX_LINKS = 20_000
"""Links of one Markdown text, of which 5,000 become relationships."""

MAX_LINK_LINES = 100_000
"""Lines of one Markdown text in which links are looked for."""

MAX_LINK_PLACES = 20_000
"""Paragraphs, or lines of long ones, with brackets, in which links of one Markdown text are looked for."""

MAX_RULES_BYTES = 200_000
"""Bytes of a file of rules: a hundred checks of one's own with their parameters have 20,000."""

MAX_EXCHANGE_BYTES = 100_000_000
"""Bytes of a file of relationships: half a million of them."""

MAX_ROWS = 500_000
"""Relationships in one file: as many as the bytes above hold."""

MAX_ASKED = 200_000
"""Rows of one file that ask for something: each is looked up, told, and done with all the others or not at all."""

MAX_SHEET_ROWS = 1_100_000
"""Rows of any kind, also empty ones and those that are passed over: a spreadsheet has 1,048,576."""

MAX_ROW = 1_000_000
"""Characters in one row of CSV: two texts, a reason and what a spreadsheet adds."""

MAX_COLUMNS = 1_000
"""Columns of CSV: seven are read, others are passed over and named."""

CONFINED_SECONDS = 5.0
"""Seconds of processor time for reading a file of a hostile format; a PDF of a book takes two."""

CONFINED_BYTES = 20_000_000
"""Bytes of a file from which on its seconds and its memory grow with its size."""
