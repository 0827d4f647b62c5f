"""Small folders of our own making, one a dialect, and every pair that each of them states."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Excerpt:
    """Files by name, the pairs that they state, and what the pairs are made of."""

    dialect: str
    files: dict[str, str]
    pairs: frozenset[tuple[str, str]]
    ends: str = "source"


PROSE = "The dock holds a lease for every crate, and gives it back when the crate has left."
_ITEM = "active: true\nderived: false\nlevel: 1.0\nlinks: {links}\nnormative: true\nref: ''\ntext: |\n  {text}\n"
_NODE = "[REQUIREMENT]\nUID: {uid}\nTITLE: {uid}\nSTATEMENT: >>>\n{text}\n<<<\n"

EXCERPTS = (
    Excerpt(
        "github",
        {
            "README.md": f"# Docks\n\n{PROSE}\n\n[leases](docs/leases.md), [root](/docs/cranes.md), [folder](docs/)\n",
            "docs/README.md": f"# All\n\n{PROSE}\n\n<a href='cranes.md#limits'>cranes</a> `[no](leases.md)`\n",
            "docs/leases.md": f"# Leases\n\n{PROSE}[^1]\n\n[^1]:\n    As [cranes][c] do.\n\n[c]: cranes.md 'Cranes'\n",
            "docs/cranes.md": f"# Cranes\n\n{PROSE}\n\n```\n[no](leases.md)\n```\n<!-- [no](../README.md) -->\n",
        },
        frozenset(
            (
                ("README.md", "docs/leases.md"),
                ("README.md", "docs/cranes.md"),
                ("README.md", "docs/README.md"),
                ("docs/README.md", "docs/cranes.md"),
                ("docs/leases.md", "docs/cranes.md"),
            )
        ),
    ),
    Excerpt(
        "mkdocs",
        {
            "mkdocs.yml": "site_name: Docks\n",
            "docs/index.md": f'# Docks\n\n{PROSE}\n\n!!! note "See"\n\n    Mind the [leases](leases.md).\n',
            "docs/leases.md": f'# Leases\n\n{PROSE}\n\n=== "Old"\n\n    ??? tip\n        [cranes](guide/cranes.md)\n',
            "docs/guide/cranes.md": f"# Cranes\n\n{PROSE}\n\n[away](https://docks.example/a.md) [b](../blog.md)\n",
            "docs/blog.md": "---\ntitle: Blog\n---\n",
        },
        frozenset(
            (
                ("docs/index.md", "docs/leases.md"),
                ("docs/leases.md", "docs/guide/cranes.md"),
                ("docs/guide/cranes.md", "docs/blog.md"),
            )
        ),
    ),
    Excerpt(
        "docusaurus",
        {
            "01-intro.mdx": f'---\nslug: "/start"\n---\nimport A from "a";\n\n{PROSE} [x](./guide/02-cranes.mdx)\n',
            "guide/02-cranes.mdx": f"# Cranes\n\n{PROSE}\n\n<Link to='/docs/start'>a</Link> [c](/docs/guide/crates)\n",
            "guide/03-crates.mdx": f"# Crates\n\n{PROSE}\n\n{{/* [no](../01-intro.mdx) */}}\n",
        },
        frozenset(
            (
                ("01-intro.mdx", "guide/02-cranes.mdx"),
                ("guide/02-cranes.mdx", "01-intro.mdx"),
                ("guide/02-cranes.mdx", "guide/03-crates.mdx"),
            )
        ),
    ),
    Excerpt(
        "mdbook",
        {
            "book.toml": "[book]\ntitle = 'Docks'\n",
            "src/SUMMARY.md": "# Summary\n\n- [Leases](leases.md)\n- [Cranes](big/cranes.md)\n",
            "src/leases.md": f"# Leases\n\n{PROSE}\n\n[cranes](big/cranes.html#limits)\n",
            "src/big/cranes.md": f"# Cranes\n\n{PROSE}\n",
        },
        frozenset(
            (
                ("src/SUMMARY.md", "src/leases.md"),
                ("src/SUMMARY.md", "src/big/cranes.md"),
                ("src/leases.md", "src/big/cranes.md"),
            )
        ),
    ),
    Excerpt(
        "obsidian",
        {
            "Docks.md": f"{PROSE} See [[Leases#Terms|terms]], [[big/Cranes]] and ![[small/Crates]]. %%[[Hidden]]%%\n",
            "Hidden.md": f"{PROSE}\n",
            "Leases.md": f"{PROSE} `[[Docks]]` and [cranes](big/Cranes.md).\n",
            "big/Cranes.md": f"{PROSE} [[Crates]] are near.\n",
            "big/Crates.md": f"{PROSE}\n",
            "small/Crates.md": f"{PROSE} | a | [[Docks\\|all]] |\n",
        },
        frozenset(
            (
                ("Docks.md", "Leases.md"),
                ("Docks.md", "big/Cranes.md"),
                ("Docks.md", "small/Crates.md"),
                ("Leases.md", "big/Cranes.md"),
                ("big/Cranes.md", "big/Crates.md"),
                ("small/Crates.md", "Docks.md"),
            )
        ),
    ),
    Excerpt(
        "sphinx",
        {
            "conf.py": "extensions = []\n",
            "index.rst": f"Docks\n=====\n\n{PROSE}\n\n.. toctree::\n\n   leases\n   All of them <big/cranes>\n",
            "leases.rst": f".. _lease-terms:\n\nLeases\n======\n\n{PROSE} See :doc:`/big/cranes` and :term:`crate`.\n",
            "big/cranes.rst": (
                f"Cranes\n======\n\n{PROSE} By :ref:`the terms <lease-terms>`.\n\n"
                ".. note::\n\n   Or :doc:`../words`.\n\n::\n\n   :doc:`../index`\n"
            ),
            "words.rst": f"Words\n=====\n\n{PROSE}\n\n.. glossary::\n\n   crate\n      What is lifted.\n",
        },
        frozenset(
            (
                ("index.rst", "leases.rst"),
                ("index.rst", "big/cranes.rst"),
                ("leases.rst", "big/cranes.rst"),
                ("leases.rst", "words.rst"),
                ("big/cranes.rst", "leases.rst"),
                ("big/cranes.rst", "words.rst"),
            )
        ),
    ),
    Excerpt(
        "html",
        {
            "index.html": f"<h1>Docks</h1><p>{PROSE}</p><a href='big/'>big</a><pre><a href='leases.html'>all</a></pre>",
            "big/index.html": f"<h1>Big</h1><p>{PROSE}</p><a href='../leases.html?a=1#b'>leases</a>",
            "leases.html": f"<h1>Leases</h1><p>{PROSE}</p><!-- <a href='index.html'>no</a> -->",
        },
        frozenset(
            (
                ("index.html", "big/index.html"),
                ("index.html", "leases.html"),
                ("big/index.html", "leases.html"),
            )
        ),
    ),
    Excerpt(
        "strictdoc",
        {
            "docks.sdoc": "[DOCUMENT]\nTITLE: Docks\nUID: DOCKS\n\n"
            + _NODE.format(uid="D-1", text="A dock shall hold leases.")
            + "DOCUMENTATION: >>>\n- [LINK: D-3]\n<<<\n\n"
            + _NODE.format(uid="D-2", text=".. note::\n\n    See [LINK: D-1].\n\n::\n\n    [LINK: D-3]")
            + "RELATIONS:\n- TYPE: Parent\n  VALUE: D-3\n\n"
            + _NODE.format(uid="D-3", text="A crane shall lift crates."),
        },
        frozenset((("D-1", "D-3"), ("D-2", "D-1"), ("D-2", "D-3"))),
        ends="id",
    ),
    Excerpt(
        "doorstop",
        {
            f"{name}.yml": _ITEM.format(links=links, text=PROSE)
            for name, links in (("REQ001", "[]"), ("REQ002", "[REQ001: null]"), ("TST010", "[req002, REQ1]"))
        },
        frozenset((("REQ002", "REQ001"), ("TST010", "REQ002"), ("TST010", "REQ001"))),
        ends="id",
    ),
    Excerpt(
        "antora",
        {
            "antora.yml": "name: docks\nversion: '1'\n",
            "modules/ROOT/nav.adoc": "* xref:index.adoc[Start]\n** xref:big:cranes.adoc[]\n",
            "modules/ROOT/pages/index.adoc": f"= D\n\n{PROSE}\n\nxref:d:big:cranes.adoc#a[c] `xref:leases.adoc[]`\n",
            "modules/ROOT/pages/leases.adoc": f"= L\n\n{PROSE}\n\ninclude::partial$terms.adoc[]\n// xref:a.adoc[]\n",
            "modules/ROOT/partials/terms.adoc": f"{PROSE}\n",
            "modules/big/pages/cranes.adoc": f"= Cranes\n\n{PROSE}\n\nxref:ROOT:leases.adoc[l] xref:./crates.adoc[c]\n",
            "modules/big/pages/crates.adoc": f"= Crates\n\n{PROSE}\n\n----\nxref:cranes.adoc[]\n----\n",
        },
        frozenset(
            (
                ("modules/ROOT/nav.adoc", "modules/ROOT/pages/index.adoc"),
                ("modules/ROOT/nav.adoc", "modules/big/pages/cranes.adoc"),
                ("modules/ROOT/pages/index.adoc", "modules/big/pages/cranes.adoc"),
                ("modules/ROOT/pages/leases.adoc", "modules/ROOT/partials/terms.adoc"),
                ("modules/big/pages/cranes.adoc", "modules/ROOT/pages/leases.adoc"),
                ("modules/big/pages/cranes.adoc", "modules/big/pages/crates.adoc"),
            )
        ),
    ),
)
