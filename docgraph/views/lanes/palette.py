"""Colours of pictures that stand outside the dashboard: the tokens of ui/frame/layout.css for light, dark and paper."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Palette:
    """Colours by role, as anything that SVG takes for a colour."""

    bg: str
    line2: str
    text: str
    muted: str
    query: str
    seed: str
    added: str
    cut: str
    cut_text: str
    kept: str
    edge: str
    node: str

    def of(self, role: str) -> str:
        """A colour by the name of its role."""
        return str(getattr(self, role))


LIGHT = Palette(
    bg="#FFFFFF",
    line2="#CBD2DA",
    text="#1B1F24",
    muted="#5B6672",
    query="#6741D9",
    seed="#0B7285",
    added="#0072B2",
    cut="#E69F00",
    cut_text="#8A5A00",
    kept="#7A8592",
    edge="#6B7682",
    node="#FFFFFF",
)
DARK = Palette(
    bg="#0F1318",
    line2="#3D4753",
    text="#E7EBF0",
    muted="#9AA6B2",
    query="#A08BF5",
    seed="#45B3C6",
    added="#58AEE6",
    cut="#E69F00",
    cut_text="#F0B643",
    kept="#8C97A3",
    edge="#8894A0",
    node="#0F1318",
)
PRINT = Palette(
    bg="#FFFFFF",
    line2="#8A94A0",
    text="#000000",
    muted="#3D4753",
    query="#6741D9",
    seed="#0B7285",
    added="#0072B2",
    cut="#B87A00",
    cut_text="#6B4600",
    kept="#5B6672",
    edge="#3D4753",
    node="#FFFFFF",
)
THEME = Palette(**{f.name: f"var(--dg-{f.name.replace('_', '-')})" for f in fields(Palette)})
"""Colours that follow the page: for SVG inside the dashboard, or inside any page that defines the same tokens."""
