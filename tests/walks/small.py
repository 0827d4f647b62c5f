"""Small folders of our own, as people have them: notes, a Sphinx project, a vault, decisions, specifications."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

NOTES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "sourdough": (
        "Sourdough",
        "The dough rests overnight in the cold room. The starter decides how sour it becomes.",
        ("starter", "oven"),
    ),
    "starter": (
        "Starter",
        "It is fed at six in the evening with rye flour. Whoever forgets it throws away the jar on Monday.",
        ("rye-flour",),
    ),
    "rye-flour": (
        "Rye flour",
        "The mill delivers two sacks on Tuesday. A wet sack goes back with the driver and is written down.",
        ("deliveries",),
    ),
    "deliveries": (
        "Deliveries",
        "The driver rings at five in the morning. Nobody signs for a sack that was not weighed.",
        ("opening-hours",),
    ),
    "oven": (
        "Oven",
        "The left door has to be pushed twice. The steam valve is opened for the first ten minutes.",
        ("oven-repair", "energy"),
    ),
    "oven-repair": (
        "Oven repair",
        "The technician needs the number on the back of the door. The repair is paid by the landlord.",
        ("landlord",),
    ),
    "landlord": (
        "Landlord",
        "The landlord answers letters and no telephone. The rent includes the cold room and the yard.",
        ("rent",),
    ),
    "rent": (
        "Rent",
        "The rent is due on the third working day. A late rent costs a fee of two percent.",
        ("accounts",),
    ),
    "accounts": (
        "Accounts",
        "The accountant wants the receipts in the order of days. The till roll is kept for ten years.",
        ("till",),
    ),
    "till": (
        "Till",
        "The till is counted by two people in the evening. A difference above five euros is written down.",
        ("opening-hours", "staff"),
    ),
    "opening-hours": (
        "Opening hours",
        "The shop opens at six in the morning. On Monday the shop stays closed and the cold room is cleaned.",
        ("cleaning",),
    ),
    "cleaning": (
        "Cleaning",
        "The cold room is cleaned with hot water alone. The plan on the door says whose turn it is.",
        ("staff",),
    ),
    "staff": (
        "Staff",
        "A new colleague works a week beside the baker. The plan is written on Thursday for the next week.",
        ("holidays",),
    ),
    "holidays": (
        "Holidays",
        "Two people are never away in the same week. In August the shop closes for ten working days.",
        ("orders",),
    ),
    "orders": (
        "Orders",
        "An order for the next day is taken until four. A large order needs a deposit in the till.",
        ("wedding-cakes", "till"),
    ),
    "wedding-cakes": (
        "Wedding cakes",
        "A cake is ordered three weeks before the day. The deposit is half of the price.",
        ("allergens",),
    ),
    "allergens": (
        "Allergens",
        "The list hangs beside the till and is renewed with each recipe. Nuts are kept in the yard store.",
        ("recipes",),
    ),
    "recipes": (
        "Recipes",
        "A recipe is weighed, never measured by volume. A changed recipe is tried on a Wednesday.",
        ("sourdough",),
    ),
    "energy": (
        "Energy",
        "The meter is read on the first working day. The oven takes two thirds of the energy.",
        ("rent",),
    ),
    "bakery": (
        "The bakery",
        "What everybody should know on the first day. The list is read once and then looked up.",
        ("staff", "opening-hours"),
    ),
}
DECISIONS: Mapping[str, tuple[str, str, str]] = {
    "0001-record-decisions": ("Record decisions", "Accepted", "We write down what we decide, and why, in this folder."),
    "0002-one-queue": (
        "One queue for all orders",
        "Superseded by [3. A queue for each shop](0003-queue-for-each-shop.md)",
        "All shops put their orders into one queue. A slow printer in one shop holds the orders of the others.",
    ),
    "0003-queue-for-each-shop": (
        "A queue for each shop",
        "Accepted. Supersedes [2. One queue for all orders](0002-one-queue.md)",
        "Each shop has a queue of its own. The printer of a shop reads nothing but its own orders.",
    ),
    "0004-printers-poll": (
        "Printers poll",
        "Accepted. Amends [3. A queue for each shop](0003-queue-for-each-shop.md)",
        "A printer asks for orders every five seconds. Nothing is pushed to a shop behind a router.",
    ),
    "0005-keep-orders-a-year": (
        "Keep orders for a year",
        "Accepted",
        "Orders are kept for twelve months, as the accountant asks. Then the name of the customer is removed.",
    ),
    "0006-names-are-optional": (
        "Names are optional",
        "Accepted. Amends [5. Keep orders for a year](0005-keep-orders-a-year.md)",
        "An order has a number; a name is given by whoever wants to. The accountant needs the number alone.",
    ),
    "0007-paper-when-offline": (
        "Paper when offline",
        "Accepted. Amends [4. Printers poll](0004-printers-poll.md)",
        "A shop without a line writes orders on paper. They are entered in the evening, with the number of the slip.",
    ),
    "0008-one-time-zone": (
        "One time zone",
        "Accepted",
        "All times are stored in UTC. A shop shows the time of its town, and a slip the time that it was printed.",
    ),
}


def notes(root: Path) -> Path:
    """Twenty notes of a bakery that link to each other."""
    for name, (title, text, links) in NOTES.items():
        told = " ".join(f"See [{NOTES[each][0].lower()}]({each}.md)." for each in links)
        _write(root / f"{name}.md", f"# {title}\n\n{text}\n\n{told}\n")
    return root


def vault(root: Path) -> Path:
    """The same notes as a vault: wiki links, a folder for each letter, settings that are passed over."""
    for name, (title, text, links) in NOTES.items():
        told = " ".join(f"See [[{NOTES[each][0]}]]." for each in links)
        _write(root / name[0].upper() / f"{title}.md", f"---\ntags: [bakery]\n---\n\n{text}\n\n{told}\n")
    _write(root / ".obsidian" / "app.json", "{}")
    return root


def sphinx(root: Path) -> Path:
    """A Sphinx project in reStructuredText, with a table of contents and references."""
    _write(root / "conf.py", 'project = "Bakery"\nextensions = []\n')
    entries = "\n".join(f"   {name}" for name in NOTES)
    _write(root / "index.rst", f"Handbook\n========\n\n.. toctree::\n\n{entries}\n")
    for name, (title, text, links) in NOTES.items():
        told = " ".join(f"See :doc:`{each}`." for each in links)
        _write(root / f"{name}.rst", f"{title}\n{'=' * len(title)}\n\n{text}\n\n{told}\n")
    return root


def decisions(root: Path) -> Path:
    """Architecture decisions, one superseded, some amended."""
    for at, (name, (title, status, text)) in enumerate(DECISIONS.items(), start=1):
        context = f"## Status\n\n{status}\n\n## Decision\n\n{text}\n"
        _write(root / "docs" / "adr" / f"{name}.md", f"# {at}. {title}\n\n{context}")
    return root


def specifications(root: Path) -> Path:
    """Numbered specifications with a header that says what each requires, and a licence that all of them link to."""
    _write(root / "LICENSE.md", "# Licence\n\nThe text of a licence, which each specification links to.\n")
    numbered = {name: n for n, name in enumerate(NOTES, start=1)}
    for name, (title, text, links) in NOTES.items():
        requires = ", ".join(str(numbered[each]) for each in links)
        header = f"---\nspec: {numbered[name]}\ntitle: {title}\nstatus: Final\nrequires: {requires}\n---\n\n"
        _write(
            root / "SPECS" / f"spec-{numbered[name]}.md",
            f"{header}## Abstract\n\n{text}\n\n## Copyright\n\nCopyright waived via [CC0](../LICENSE.md).\n",
        )
    return root


FOLDERS: Mapping[str, Callable[[Path], Path]] = {
    "notes": notes,
    "specifications": specifications,
    "sphinx": sphinx,
    "vault": vault,
    "decisions": decisions,
}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
