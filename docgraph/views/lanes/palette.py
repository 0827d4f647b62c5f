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
    relevant: str
    lost: str

    def of(self, role: str) -> str:
        """A colour by the name of its role."""
        return str(getattr(self, role))


_COLOURS = {
    "bg": ("#FFFFFF", "#0F1318", "#FFFFFF"),
    "line2": ("#CBD2DA", "#3D4753", "#8A94A0"),
    "text": ("#1B1F24", "#E7EBF0", "#000000"),
    "muted": ("#5B6672", "#9AA6B2", "#3D4753"),
    "query": ("#6741D9", "#A08BF5", "#6741D9"),
    "seed": ("#0B7285", "#45B3C6", "#0B7285"),
    "added": ("#0072B2", "#58AEE6", "#0072B2"),
    "cut": ("#E69F00", "#E69F00", "#B87A00"),
    "cut_text": ("#8A5A00", "#F0B643", "#6B4600"),
    "kept": ("#7A8592", "#8C97A3", "#5B6672"),
    "edge": ("#6B7682", "#8894A0", "#3D4753"),
    "node": ("#FFFFFF", "#0F1318", "#FFFFFF"),
    "relevant": ("#23763A", "#5FBF77", "#1B5E2C"),
    "lost": ("#C92A2A", "#FF7B7B", "#A61E1E"),
}
"""Role → its colour in light, in dark and on paper."""

LIGHT, DARK, PRINT = (
    Palette(**dict(zip(_COLOURS, column, strict=True))) for column in zip(*_COLOURS.values(), strict=True)
)
THEME = Palette(**{f.name: f"var(--dg-{f.name.replace('_', '-')})" for f in fields(Palette)})
"""Colours that follow the page: for SVG inside the dashboard, or inside any page that defines the same tokens."""
