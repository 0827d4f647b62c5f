"""What a session's conversations are: turns, state and settings of each workspace, kept while moving between pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from docgraph.domain.conversation import ConversationState, PastTurn, Turn, parse_state
from docgraph.domain.packet import PacketMode, PacketRequest
from docgraph.errors import DocgraphError, UserError
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session

MAX_KEPT = 200
"""Turns kept whole in a session; of older ones the state's own memory is left, or nothing."""
SHOWN = 20
"""Turns on the page before anybody asks for more."""
MODES: tuple[PacketMode, ...] = ("conversation", "accurate", "fast")
BETWEEN = ("choice", "rejection", "smalltalk")
"""What may be said between two texts of a script: it goes on afterwards."""
LEXICAL = "lexical"
Entry = Turn | PastTurn


@dataclass(frozen=True)
class Settings:
    """How retrieval is asked; ``off`` = providers that are switched off."""

    mode: PacketMode = "conversation"
    threshold: float = PacketRequest.model_fields["threshold"].default
    top_k: int = PacketRequest.model_fields["top_k"].default
    channel: str | None = None
    provider: str | None = None
    off: frozenset[str] = frozenset()

    def changed(self) -> tuple[str, ...]:
        """What differs from the defaults, in words."""
        default = Settings()
        said = [
            f"mode {self.mode}" if self.mode != default.mode else "",
            f"threshold {self.threshold:.2f}" if self.threshold != default.threshold else "",
            f"{self.top_k} passages" if self.top_k != default.top_k else "",
            f"channel {self.channel}" if self.channel else "",
            f"{self.provider} first" if self.provider else "",
            f"off: {', '.join(sorted(self.off))}" if self.off else "",
        ]
        return tuple(each for each in said if each)


@dataclass
class Talk:
    """One conversation; ``remembered`` = turns of an imported state, which are known by what it keeps of them.

    ``selected`` = number of the turn whose origin is shown, None for the last; ``script`` = texts that a starter has
    left; ``round`` counts what has to draw its widgets anew; ``before`` = the state before the last turn.
    """

    workspace: str
    turns: list[Turn] = field(default_factory=list)
    remembered: tuple[PastTurn, ...] = ()
    state: ConversationState | None = None
    before: ConversationState | None = None
    settings: Settings = field(default_factory=Settings)
    selected: int | None = None
    shown: int = SHOWN
    script: tuple[str, ...] = ()
    problem: DocgraphError | None = None
    notice: str = ""
    round: int = 0

    @property
    def entries(self) -> list[Entry]:
        """Everything that can be shown, oldest first."""
        return [*self.remembered, *self.turns]

    @property
    def last(self) -> Turn | None:
        """The last turn, when it was held here."""
        return self.turns[-1] if self.turns else None

    @property
    def made(self) -> Turn | None:
        """The turn whose origin is shown."""
        return next((turn for turn in self.turns if turn.number == self.selected), self.last)


def talk(workspace: str) -> Talk:
    """The conversation of this session over a workspace, begun on first use."""
    kept: dict[str, Talk] = session().page.setdefault("conversation", {})
    return kept.setdefault(workspace, Talk(workspace))


def say(conversation: Talk, text: str) -> None:
    """One turn; a text that is refused becomes the conversation's problem, and nothing else changes."""
    conversation.problem, conversation.notice = None, ""
    settings = conversation.settings
    try:
        turn = resources.docgraph(conversation.workspace).converse(
            conversation.state,
            text,
            mode=settings.mode,
            channel=settings.channel,
            top_k=settings.top_k,
            threshold=settings.threshold,
            flags=flags(conversation),
            provider_override=settings.provider,
        )
    except DocgraphError as problem:
        conversation.problem = problem
        return
    conversation.before, conversation.state = conversation.state, turn.state
    conversation.turns = [*conversation.turns, turn][-MAX_KEPT:]
    conversation.selected = None
    if conversation.script and text == conversation.script[0]:
        conversation.script = conversation.script[1:]
    elif turn.understanding.link not in BETWEEN:
        conversation.script = ()


def again(conversation: Talk, *, defaults: bool = False) -> None:
    """Ask the last question once more, instead of the turn that brought nothing."""
    last = conversation.last
    if last is None:
        return
    if defaults:
        use(conversation, Settings())
    conversation.turns, conversation.state = conversation.turns[:-1], conversation.before
    say(conversation, last.understanding.text)


def use(conversation: Talk, settings: Settings) -> None:
    """Ask with these settings from now on; their widgets are drawn anew."""
    conversation.settings = settings
    conversation.round += 1


def flags(conversation: Talk) -> dict[str, bool] | None:
    """Provider → enabled; None while nobody is switched off here, so that the configuration counts."""
    off = conversation.settings.off
    if not off:
        return None
    return {name: on and name not in off for name, on in configured(conversation.workspace).items()}


def configured(workspace: str) -> Mapping[str, bool]:
    """Provider → enabled by the configuration, in the order of routing. Nobody is asked for that."""
    said = resources.docgraph(workspace).retrieve(PacketRequest(query="", mode="conversation")).routing_metadata
    return {str(name): on is True for name, on in dict(said.get("flags") or {}).items()}


def words_only(conversation: Talk) -> None:
    """Leave nobody but ``lexical`` on."""
    others = frozenset(configured(conversation.workspace)) - {LEXICAL}
    use(conversation, replace(Settings(), off=others))


def reset(conversation: Talk) -> None:
    """Forget the turns and the state; the settings stay."""
    conversation.turns, conversation.remembered = [], ()
    conversation.state = conversation.before = conversation.selected = conversation.problem = None
    conversation.script, conversation.notice, conversation.shown = (), "", SHOWN


def take_over(conversation: Talk, content: bytes) -> None:
    """Go on from an exported state. Raises UserError for one that is invalid, or of another workspace."""
    state = parse_state(content)
    if state.workspace not in ("", conversation.workspace):
        raise UserError(
            f"the conversation is over the workspace {state.workspace!r}, not over {conversation.workspace!r}",
            hint="choose that workspace above, then import it again",
        )
    reset(conversation)
    conversation.state, conversation.remembered = state, state.turns
