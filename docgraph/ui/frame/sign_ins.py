"""Sign-ins as this process knows them: begun, looked up every few seconds, ended, and every step told to the audit."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from docgraph.boundary.claims import signed_in_since
from docgraph.boundary.text import one_line
from docgraph.domain.frozen import fingerprint
from docgraph.domain.person import MAX_BY, Person, SignIn
from docgraph.ports.keeping import KEPT_DAYS
from docgraph.ui.frame import signing
from docgraph.views.words.moments import browser

if TYPE_CHECKING:
    from docgraph.orchestration.guarded import Audit
    from docgraph.ports import SignInLog
    from docgraph.settings import Settings

FRESH_SECONDS = 3.0
"""For so long an answer of the database is believed; what another process ends lasts so much longer here."""
SEEN_SECONDS = 60.0
REFUSALS_A_MINUTE = 60
"""Refused sign-ins that the audit hears of: who is nobody yet cannot fill it."""
MAX_KNOWN = 10_000
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""A token as it stands in a cookie: 256 random bits."""

_FRAMEWORKS = frozenset(("origin", "is_logged_in", "provider", "tokens"))
_BROWSERS = (
    ("Edge", re.compile(r"\bEdgA?/(\d+)")),
    ("Opera", re.compile(r"\bOPR/(\d+)")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/(\d+)")),
    ("Chrome", re.compile(r"\b(?:Chrome|CriOS|HeadlessChrome)/(\d+)")),
    ("Safari", re.compile(r"\bVersion/(\d+)[\d.]* (?:Mobile/\w+ )?Safari/")),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_log = logging.getLogger(__name__)


@dataclass
class _Known:
    kept: SignIn | None
    checked: float
    seen: float = 0.0


class SignIns:
    """The sign-ins of a database, for the edge and the pages of one process; safe to use from several threads.

    A sign-in counts where three agree: the claims that the framework's cookie signs name somebody who may use docgraph
    now, the token's hash is kept and not ended, and it was begun with these very claims.
    """

    def __init__(
        self, log: SignInLog, audit: Audit, settings: Settings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kept_in, self._audit, self._settings, self._clock = log, audit, settings, clock
        self._known: dict[str, _Known] = {}
        self._refusals: deque[float] = deque(maxlen=REFUSALS_A_MINUTE)

    def begin(self, claims: Mapping[str, Any], *, agent: str, instead_of: str = "") -> str | None:
        """A new sign-in: the token for the browser's cookie; None for who may not use docgraph. Raises StoreError.

        ``instead_of`` = the id that the browser held before: it is ended, where it is theirs.
        """
        who, since = signing.recognised(self._settings, claims), signed_in_since(claims)
        if who is None or since is None:
            self.refused(str(claims.get("sub") or ""), "this account may not use docgraph")
            return None
        token, now = secrets.token_urlsafe(32), _now()
        begun = SignIn(
            sign_in_id=id_of(token),
            name=who.name,
            subject=str(claims["sub"]),
            role=who.role,
            claims=_fingerprint(claims),
            browser=browser_of(agent),
            created=now,
            last_seen=now,
            expires=_text(datetime.fromtimestamp(since, UTC) + timedelta(hours=self._settings.sign_in_hours)),
        )
        self._kept_in.forget_sign_ins(_text(datetime.now(UTC) - timedelta(days=KEPT_DAYS)))
        before = [each for each in self._kept_in.sign_ins([instead_of]) if each.subject == begun.subject]
        self._kept_in.end_sign_ins(before, at=now, by=who.name)
        self.forget(before)
        self._kept_in.begin_sign_in(begun)
        self._tell("sign_in", who, [f"{browser(begun)} {begun.short_id}"])
        return token

    def refused(self, name: str, why: str) -> None:
        """Tell the audit that somebody was not let in; of many in one minute the first sixty."""
        now = self._clock()
        if len(self._refusals) == REFUSALS_A_MINUTE and now - self._refusals[0] < 60:
            _log.warning("a sign-in was refused, as many were in this minute: %s", why)
            return
        self._refusals.append(now)
        self._tell("sign_in", None, [], by=one_line(name, MAX_BY), outcome="refused", error=why)

    def person(self, sign_in_id: str, claims: Mapping[str, Any]) -> Person | None:
        """Who it is, with the role that they have now; None where it does not count. Raises StoreError."""
        who, since = signing.recognised(self._settings, claims), signed_in_since(claims)
        if not sign_in_id or (who is None and (since is None or not signing.is_ahead(since))):
            return None
        known = self._looked_up(sign_in_id)
        kept = known.kept
        if kept is None or not kept.counts(_now()) or kept.claims != _fingerprint(claims):
            return None
        if signing.is_ahead(datetime.fromisoformat(kept.last_seen).timestamp()):
            self._set_back(kept)
        elif who is not None:
            self._saw(known, kept, who)
            return who
        return None

    def look(self, ids: Sequence[str]) -> None:
        """Ask the database for all of these at once, so that what is said of them is of now. Raises StoreError."""
        found = {each.sign_in_id: each for each in self._kept_in.sign_ins(ids)}
        now = self._clock()
        for each in ids:
            before = self._known.get(each)
            self._known[each] = _Known(found.get(each), now, before.seen if before else 0.0)

    def sign_out(self, sign_in_id: str, who: Person, *, everywhere: bool = False) -> None:
        """End somebody's own sign-in, or all of theirs. Raises StoreError."""
        self._end(self.mine(sign_in_id) if everywhere else self._kept_in.sign_ins([sign_in_id]), who)

    def mine(self, sign_in_id: str) -> tuple[SignIn, ...]:
        """Those that count now of whoever this one belongs to, newest first. Raises StoreError."""
        subjects = {each.subject for each in self._kept_in.sign_ins([sign_in_id])}
        return tuple(each for each in self._kept_in.open_sign_ins(_now()) if each.subject in subjects)

    def end_mine(self, ids: Sequence[str], sign_in_id: str, who: Person) -> tuple[SignIn, ...]:
        """End those of these that belong to the same person as ``sign_in_id``, and no other one. Raises StoreError."""
        return self._end([each for each in self.mine(sign_in_id) if each.sign_in_id in ids], who)

    def _end(self, sign_ins: Sequence[SignIn], who: Person) -> tuple[SignIn, ...]:
        ended = self._kept_in.end_sign_ins(sign_ins, at=_now(), by=who.name)
        self.forget(sign_ins)
        if ended:
            self._tell("sign_out", who, [f"{browser(each)} {each.short_id}" for each in ended])
        return ended

    def _set_back(self, kept: SignIn) -> None:
        """End a sign-in that was seen in the future: by a clock that was set back it would last that much longer."""
        if self._kept_in.end_sign_ins([kept], at=kept.last_seen, by="the clock"):
            why = "the clock was set back"
            self._tell("sign_out", None, [f"{browser(kept)} {kept.short_id}"], by=kept.name, error=why)
        self.forget([kept])

    def forget(self, sign_ins: Sequence[SignIn]) -> None:
        """Ask the database anew with the next use."""
        for each in sign_ins:
            self._known.pop(each.sign_in_id, None)

    def _looked_up(self, sign_in_id: str) -> _Known:
        known = self._known.get(sign_in_id)
        if known is None or self._clock() - known.checked > FRESH_SECONDS:
            if len(self._known) > MAX_KNOWN:
                self._known.clear()
            self.look([sign_in_id])
            known = self._known[sign_in_id]
        return known

    def _saw(self, known: _Known, kept: SignIn, who: Person) -> None:
        """Note it about once a minute, and at once where the role is another one."""
        now = self._clock()
        if kept.role == who.role and known.seen and now - known.seen < SEEN_SECONDS:
            return
        known.seen, moment = now, _now()
        changed = self._kept_in.saw_sign_in(kept.sign_in_id, at=moment, role=who.role)
        known.kept = kept.model_copy(update={"role": who.role, "last_seen": moment})
        if changed:
            self._tell("role_change", who, [f"{kept.role} → {who.role}"])

    def _tell(
        self,
        act: str,
        who: Person | None,
        subjects: Sequence[str],
        *,
        by: str = "",
        outcome: str = "done",
        error: str = "",
    ) -> None:
        self._audit(
            {
                "by": who.name if who else by,
                "role": who.role if who else "",
                "workspace": "",
                "act": act,
                "n": len(subjects),
                "subjects": list(subjects),
                "outcome": outcome,
                "error": error,
            }
        )


def id_of(token: str) -> str:
    """Under which id a token is kept; empty for what is no token."""
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN.fullmatch(token) else ""


def browser_of(agent: str) -> str:
    """Browser and system as a browser tells them: ``Firefox 128 on Linux``; empty where it says nothing."""
    said = agent[:1_000]
    browser = next((f"{name} {found[1][:4]}" for name, form in _BROWSERS if (found := form.search(said))), "")
    system = next((name for mark, name in _SYSTEMS if mark in said), "")
    return f"{browser} on {system}" if browser and system else browser or system


def _fingerprint(claims: Mapping[str, Any]) -> str:
    """Of what the provider said: what the framework puts beside it is the same in none of its places."""
    try:
        return fingerprint({name: value for name, value in claims.items() if name not in _FRAMEWORKS})
    except (ValueError, TypeError):
        return ""


def _now() -> str:
    return _text(datetime.now(UTC))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
