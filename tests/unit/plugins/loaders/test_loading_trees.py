"""Trees of requirements and descriptions of interfaces: Doorstop, sphinx-needs, StrictDoc, OpenAPI."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.plugins.loaders.test_loading_graphs import load

ITEM = """active: true
derived: false
header: |
  Sails
level: 1.10
links:
- SYS001: 9TcFUzsQWUHhoh5wsqnhL7VRtSqMaIhrCXg7mfIkxKM=
- SYS002
normative: true
ref: ''
reviewed: null
text: |
  The boat **shall** have sails.
"""
SDOC = """[DOCUMENT]
TITLE: Boats
UID: DOC-1
OPTIONS:
  REQUIREMENT_STYLE: Table

[GRAMMAR]
ELEMENTS:
- TAG: REQUIREMENT

[[SECTION]]
TITLE: Sails

[REQUIREMENT]
UID: REQ-1
STATUS: Active
TITLE: Sails
STATEMENT: >>>
The boat shall
have sails.

STATUS: not a field
<<<
RATIONALE: It has no engine.
RELATIONS:
- TYPE: Parent
  VALUE: SYS-1
  ROLE: Refines
- TYPE: Parent
  VALUE: SYS-2
- TYPE: Child
  VALUE: LOW-1
- TYPE: File
  VALUE: src/sail.py

[[/SECTION]]

[REQUIREMENT]
STATEMENT: It floats.
REFS:
- TYPE: Parent
  VALUE: REQ-1
"""
NEEDS: dict[str, Any] = {
    "current_version": "2",
    "versions": {
        "1": {"needs": {"OLD": {"id": "OLD", "title": "Old"}}},
        "2": {
            "needs": {
                "R1": {
                    "id": "R1",
                    "title": "Sails",
                    "type": "req",
                    "content": "Has sails.",
                    "links": ["R2.1", "X9"],
                    "blocks": ["R2"],
                    "links_back": ["R2"],
                    "tags": ["R2"],
                    "status": "open",
                    "others": ["R2", "free"],
                },
                "R2": {"id": "R2", "title": "Mast", "type": "spec", "parent_need": "R1"},
            }
        },
    },
}
OPENAPI = """openapi: 3.1.0
info: {title: Harbour, version: "1", description: All about boats.}
paths:
  /boats/{id}:
    parameters:
    - $ref: '#/components/parameters/id'
    get:
      operationId: getBoat
      summary: One boat
      tags: [boats]
      responses:
        '200':
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Boat'}
        default: {$ref: 'common.yaml#/components/responses/Error'}
    delete:
      responses: {'204': {description: gone}}
components:
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}}
  schemas:
    Boat:
      description: It floats.
      properties:
        owner: {$ref: '#/components/schemas/Person'}
        next: {$ref: '#/components/schemas/Boat'}
        web: {$ref: 'https://example.org/x.json#/Y'}
    Person: {type: object}
"""


class TestDoorstop:
    def test_an_item_is_a_document_that_traces_to_its_parents(self) -> None:
        documents, edges, refused = load("yaml", ITEM, "reqs/sw/SW001.yml")
        item = documents["SW001"]
        assert (item.title, item.doc_type) == ("SW001 Sails", "requirement")
        assert item.text == "Sails\n\nThe boat **shall** have sails."
        assert (item.metadata["level"], item.metadata["normative"]) == ("1.10", True)
        assert edges == [("SW001", "traces_to", "SYS001"), ("SW001", "traces_to", "SYS002")]
        assert not refused

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("a: 1\n", "neither a Doorstop item nor an OpenAPI description"),
            ("- a\n- b\n", "neither a Doorstop item"),
            (ITEM + "x: [", "not YAML"),
            (ITEM + "x: !!python/object/apply:os.system ['ls']\n", "tag .* is not allowed"),
            (
                ITEM + "".join(f"l{n}: &l{n} [{','.join([f'*l{n - 1}'] * 9 if n else ['x'] * 9)}]\n" for n in range(9)),
                "more than 100,000 values",
            ),
            (ITEM + "x: " + "[" * 500 + "]" * 500, "nested more than 40 levels"),
            (ITEM + "# " + "x" * 1_000_000, "at most 1,000,000 of YAML"),
            (b"\x00", "NUL byte"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("yaml", data, "SW001.yml")


class TestNeeds:
    def test_needs_of_the_current_version_and_their_links(self) -> None:
        documents, edges, refused = load("json", json.dumps(NEEDS), "needs.json")
        assert {name: (each.title, each.doc_type, each.text) for name, each in documents.items()} == {
            "R1": ("Sails", "req", "Has sails."),
            "R2": ("Mast", "spec", "Mast"),
        }
        assert set(edges) == {
            ("R1", "links_to", "R2"),
            ("R1", "links_to", "X9"),
            ("R1", "blocks", "R2"),
            ("R2", "part_of", "R1"),
        }
        assert not refused

    def test_the_schema_says_which_fields_are_links(self) -> None:
        version = {**NEEDS["versions"]["2"], "needs_schema": {"properties": {"others": {"field_type": "links"}}}}
        _, edges, _ = load("json", json.dumps({"current_version": "2", "versions": {"2": version}}), "needs.json")
        assert edges == [("R1", "others", "R2"), ("R1", "others", "free")]

    def test_no_needs_are_refused(self) -> None:
        with pytest.raises(ValueError, match="version '2' has no needs"):
            load("json", '{"current_version": "2", "versions": {"2": {"needs": {}}}}', "needs.json")


class TestStrictDoc:
    def test_nodes_and_their_relations(self) -> None:
        documents, edges, refused = load("strictdoc", SDOC, "docs/boats.sdoc")
        assert list(documents) == ["DOC-1", "REQ-1", "docs/boats/2"]
        first = documents["REQ-1"]
        assert (first.title, first.doc_type, first.metadata["status"]) == ("Sails", "requirement", "Active")
        assert [(each.heading_path, each.text) for each in first.sections] == [
            ((), "The boat shall\nhave sails.\n\nSTATUS: not a field"),
            (("Rationale",), "It has no engine."),
        ]
        assert first.metadata["files"] == ["src/sail.py"]
        assert edges == [
            ("REQ-1", "refines", "SYS-1"),
            ("REQ-1", "traces_to", "SYS-2"),
            ("REQ-1", "traced_by", "LOW-1"),
            ("REQ-1", "part_of", "DOC-1"),
            ("docs/boats/2", "traces_to", "REQ-1"),
            ("docs/boats/2", "part_of", "DOC-1"),
        ]
        assert not refused

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            ("text\n", "does not begin with"),
            ("[REQUIREMENT]\nUID: A\n", "does not begin with"),
            ("[DOCUMENT]\nTITLE: >>>\nnever closed\n", "not closed: the file is cut off"),
            ("[DOCUMENT]\nTITLE: T\n<<<\n", "line 3 closes a text that is not open"),
            ("[DOCUMENT]\n" + "[TEXT]\n" * 50_001, "more than 50,000 nodes"),
            ("x" * 200_001, "line 1 has 200,001 characters"),
            (b"\xff\xfea", "starts like utf-16"),
        ],
    )
    def test_a_refusal_names_what_was_found(self, data: str, reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            load("strictdoc", data, "a.sdoc")


class TestOpenAPI:
    EDGES = (
        ("api/harbour/operations/getBoat", "part_of", "api/harbour"),
        ("api/harbour/operations/getBoat", "uses", "api/harbour/schemas/Boat"),
        ("api/harbour/operations/getBoat", "uses", "api/common/responses/Error"),
        ("api/harbour/operations/getBoat", "uses", "api/harbour/parameters/id"),
        ("api/harbour/operations/delete /boats/{id}", "part_of", "api/harbour"),
        ("api/harbour/operations/delete /boats/{id}", "uses", "api/harbour/parameters/id"),
        ("api/harbour/schemas/Boat", "uses", "api/harbour/schemas/Person"),
        ("api/harbour/schemas/Boat", "uses", "api/harbour/schemas/Boat"),
    )

    def test_operations_and_components_are_documents(self) -> None:
        documents, edges, refused = load("yaml", OPENAPI, "api/harbour.yaml")
        assert {name.removeprefix("api/harbour"): (each.title, each.doc_type) for name, each in documents.items()} == {
            "": ("Harbour", "interface"),
            "/operations/getBoat": ("GET /boats/{id} – One boat", "operation"),
            "/operations/delete /boats/{id}": ("DELETE /boats/{id}", "operation"),
            "/parameters/id": ("id", "parameter"),
            "/schemas/Boat": ("Boat", "schema"),
            "/schemas/Person": ("Person", "schema"),
        }
        assert documents["api/harbour/schemas/Boat"].text.startswith("It floats.\n\n```yaml\nproperties:\n")
        assert sorted(edges) == sorted(self.EDGES)
        assert not refused

    def test_the_same_in_json(self) -> None:
        import yaml

        documents, edges, _ = load("json", json.dumps(yaml.safe_load(OPENAPI)), "api/harbour.json")
        assert len(documents) == 6
        assert sorted(edges) == sorted(self.EDGES)

    def test_swagger_has_definitions(self) -> None:
        swagger = {
            "swagger": "2.0",
            "info": {"title": "S"},
            "paths": {"/a": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/A"}}}}}},
            "definitions": {"A": {"type": "object"}},
        }
        documents, edges, _ = load("json", json.dumps(swagger), "s.json")
        assert list(documents) == ["s", "s/operations/get /a", "s/schemas/A"]
        assert ("s/operations/get /a", "uses", "s/schemas/A") in edges

    def test_a_reference_leads_out_of_the_folder_no_further_than_its_root(self) -> None:
        text = OPENAPI.replace("common.yaml", "../../../../../etc/passwd")
        _, edges, _ = load("yaml", text, "api/harbour.yaml")
        assert ("api/harbour/operations/getBoat", "uses", "etc/passwd/responses/Error") in edges
