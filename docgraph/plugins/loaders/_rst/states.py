"""docutils' state machine cut down to what finds headings: sections, paragraphs and literal blocks."""

from __future__ import annotations

from typing import Any

from docutils.parsers.rst import Parser, states


class Body(states.Body):  # type: ignore[misc]
    """Sees headings and text; lists, tables, fields and directives at the margin are text to it.

    Everything indented is passed over: no heading can stand there, and parsing it is where time is lost.
    The names of the classes are docutils' own, which it finds states by.
    """

    initial_transitions = ("line", "text")

    def indent(self, match: Any, context: Any, next_state: Any) -> tuple[Any, Any, list[Any]]:
        """Pass over an indented block."""
        self.state_machine.get_indented()
        return context, next_state, []


class Text(states.Text):  # type: ignore[misc]
    """The second line of a block: a paragraph goes on, a heading is underlined, or something indented follows."""

    def indent(self, match: Any, context: Any, next_state: Any) -> tuple[list[Any], str, list[Any]]:
        """Pass over what is indented under a line."""
        self.state_machine.get_indented()
        return [], "Body", []


def heading_parser(inliner: Any) -> Any:
    """A docutils parser that knows only the states above."""
    parser = Parser(inliner=inliner)
    others = [state for state in states.state_classes if state.__name__ not in ("Body", "Text")]
    parser.state_classes = (Body, Text, *others)
    return parser
