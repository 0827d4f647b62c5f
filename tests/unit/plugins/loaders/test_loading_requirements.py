"""Requirements as they are exchanged: ReqIF, its archives, and tables."""

from __future__ import annotations

import io
import zipfile

import pytest

from docgraph.plugins.loaders.requirements.reqif import build
from tests.unit.plugins.loaders.test_loading_graphs import load

NAMESPACES = 'xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd" xmlns:x="http://www.w3.org/1999/xhtml"'
TYPES = (
    '<SPEC-OBJECT-TYPE IDENTIFIER="t" LONG-NAME="Req"><SPEC-ATTRIBUTES>'
    '<ATTRIBUTE-DEFINITION-XHTML IDENTIFIER="a" LONG-NAME="ReqIF.Text"/></SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE>'
)


def exchange(inside: str) -> str:
    return f"<REQ-IF {NAMESPACES}><CORE-CONTENT>{TYPES}{inside}</CORE-CONTENT></REQ-IF>"


def spec_object(identifier: str, xhtml: str) -> str:
    return (
        f'<SPEC-OBJECT IDENTIFIER="{identifier}"><TYPE><R>t</R></TYPE><VALUES><ATTRIBUTE-VALUE-XHTML><DEFINITION>'
        f"<R>a</R></DEFINITION><THE-VALUE>{xhtml}</THE-VALUE></ATTRIBUTE-VALUE-XHTML></VALUES></SPEC-OBJECT>"
    )


def relation(start: str, end: str) -> str:
    return (
        f'<SPEC-RELATION IDENTIFIER="{start}{end}" LONG-NAME="Satisfies"><SOURCE><R>{start}</R></SOURCE>'
        f"<TARGET><R>{end}</R></TARGET></SPEC-RELATION>"
    )


def archive(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return data.getvalue()


class TestReqIF:
    def test_mark_up_becomes_lines_and_pictures_their_words(self) -> None:
        xhtml = (
            "<x:div><x:p>It <x:b>shall</x:b> be &lt; 3.</x:p><x:ul><x:li>one</x:li><x:li>two</x:li></x:ul>"
            '<x:object data="a.png" type="image/png">A picture</x:object><x:script>bad()</x:script></x:div>'
        )
        documents, _, refused = load("reqif", exchange(spec_object("_1", xhtml)), "a.reqif")
        assert documents["_1"].text == "It shall be < 3.\n\n- one\n- two\n\nA picture"
        assert (documents["_1"].metadata["untitled"], refused) == (True, [])

    def test_mark_up_that_is_nested_without_end_gives_its_words(self) -> None:
        """A tree of 50,000 levels ended programs that walk it by recursion."""
        xhtml = "<x:div>" * 50_000 + "deep" + "</x:div>" * 50_000
        documents, _, _ = load("reqif", exchange(spec_object("_1", xhtml)), "a.reqif")
        assert documents["_1"].text == "deep"

    def test_hierarchies_are_walked_without_recursion(self) -> None:
        n = 5_000
        objects = "".join(f'<SPEC-OBJECT IDENTIFIER="o{i}" LONG-NAME="Part"/>' for i in range(n))
        opened = "".join(f"<CHILDREN><SPEC-HIERARCHY><OBJECT><R>o{i}</R></OBJECT>" for i in range(n))
        closed = "</SPEC-HIERARCHY></CHILDREN>" * n
        spec = f'<SPECIFICATION IDENTIFIER="s">{opened}{closed}</SPECIFICATION>'
        _, edges, _ = load("reqif", exchange(objects + spec), "a.reqif")
        assert len(edges) == n
        assert edges[:2] == [("o0", "part_of", "a"), ("o1", "part_of", "o0")]

    def test_files_of_an_archive_refer_to_each_other(self) -> None:
        data = archive(
            {
                "b.reqif": exchange(spec_object("_2", "<x:div>Two</x:div>") + relation("_2", "_1")),
                "sub/a.reqif": exchange(spec_object("_1", "<x:div>One</x:div>")),
                "files/picture.png": "no picture",
            }
        )
        documents, edges, _ = load("reqif", data, "all.reqifz")
        assert (set(documents), edges) == ({"_1", "_2"}, [("_2", "satisfies", "_1")])

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("<a/>", "not ReqIF: its root is <a>"),
            ("<REQ-IF>", "not XML"),
            (" ", "only white space"),
            ("<REQ-IF/>", "no SPEC-OBJECT"),
            ('<!DOCTYPE a [<!ENTITY x "y">]><REQ-IF>&x;</REQ-IF>', "document type or entities"),
            ('<!DOCTYPE REQ-IF SYSTEM "http://example.org/a.dtd"><REQ-IF/>', "document type or entities"),
            (b"PK\x03\x04 and nothing else", "archive cannot be read"),
            (archive({"a.txt": "x"}), "holds no .reqif"),
            (archive({"a.reqif": "<a/>"}), "a.reqif: the file is XML but not ReqIF"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str | bytes, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("reqif", data, "a.reqif")

    def test_an_archive_that_takes_long_to_expand_is_refused(self) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_BZIP2) as packed:
            packed.writestr("a.reqif", exchange(spec_object("_1", "<x:div>One</x:div>")))
        with pytest.raises(ValueError, match="compressed by bzip2, and only deflate is read"):
            load("reqif", data.getvalue(), "a.reqifz")

    def test_an_archive_that_expands_too_far_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("docgraph.plugins.loaders.requirements.reqif.MAX_EXPANDED", 100)
        with pytest.raises(ValueError, match="more than 1,000 files or 100 bytes"):
            list(build().load(archive({"a.reqif": "<a/>" * 100}), source="a.reqifz"))


class TestTables:
    @pytest.mark.parametrize(
        ("header", "kind"),
        [
            ("Parent", "part_of"),
            ("PARENT ID", "part_of"),
            ("Parent(s)", "part_of"),
            ("verifies", "verifies"),
            ("Verified By", "verified_by"),
            ("traces-to", "traces_to"),
            ("Derived from", "derived_from"),
            ("Linked Requirements", "links_to"),
            ("Outward issue link (Blocks)", "blocks"),
            ("Checked In", "checked_in"),
        ],
    )
    def test_a_column_has_its_type(self, header: str, kind: str) -> None:
        data = f"Key,Summary,Description,{header}\nA-1,One,Is.,\nA-2,Two,Is.,A-1\nA-3,Three,Is.,A-1 A-2\n"
        _, edges, _ = load("csv", data, "a.csv")
        assert edges == [("A-2", kind, "A-1"), ("A-3", kind, "A-1"), ("A-3", kind, "A-2")]

    def test_plain_numbers_name_rows_only_where_the_header_says_so(self) -> None:
        data = "id,text,priority,parent\n1,One,1,\n2,Two,1,1\n3,Three,2,1\n"
        documents, edges, _ = load("csv", data, "sub/a.csv")
        assert edges == [("sub/a/2", "part_of", "sub/a/1"), ("sub/a/3", "part_of", "sub/a/1")]
        assert documents["sub/a/3"].metadata == {"priority": "2", "untitled": True}

    def test_columns_of_one_name_are_read_each(self) -> None:
        data = "id,text,links,links,tag,tag\nA-1,x,A-2,A-3,p,q\nA-2,y,,,,\nA-3,z,,,,\n"
        documents, edges, _ = load("csv", data, "a.csv")
        assert edges == [("A-1", "links_to", "A-2"), ("A-1", "links_to", "A-3")]
        assert documents["A-1"].metadata["tag"] == ["p", "q"]

    @pytest.mark.parametrize("header", ["name,text,parent", "id,price", "id,name,price", "title,status"])
    def test_another_table_is_none(self, header: str) -> None:
        with pytest.raises(ValueError, match="nor one of requirements"):
            load("csv", f"{header}\n{header}\n", "a.csv")
