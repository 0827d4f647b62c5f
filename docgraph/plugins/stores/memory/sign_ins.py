"""Sign-ins in a dict: the reference of ``ports.SignInLog``."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from docgraph.domain.person import Role, SignIn
from docgraph.plugins.stores._rows.ready import newest_sign_ins, ready_sign_in, taken


class MemorySignIns:
    """Holds sign-ins by id (``ports.SignInLog``)."""

    def __init__(self) -> None:
        self._kept: dict[str, SignIn] = {}
        self._lock = threading.Lock()

    def begin_sign_in(self, sign_in: SignIn) -> None:
        """Keep a new one. Raises ConflictError for an id that is taken."""
        ready = ready_sign_in(sign_in)
        with self._lock:
            if ready.sign_in_id in self._kept:
                raise taken(ready)
            self._kept[ready.sign_in_id] = ready

    def forget_sign_ins(self, before: str) -> None:
        """Remove those whose time was over before that moment."""
        with self._lock:
            self._kept = {key: each for key, each in self._kept.items() if each.expires >= before}

    def sign_ins(self, ids: Sequence[str]) -> tuple[SignIn, ...]:
        """Those of these ids that are kept."""
        with self._lock:
            return tuple(self._kept[each] for each in dict.fromkeys(ids) if each in self._kept)

    def open_sign_ins(self, at: str) -> tuple[SignIn, ...]:
        """Those that count at that moment, newest first."""
        with self._lock:
            return newest_sign_ins(each for each in self._kept.values() if each.counts(at))

    def saw_sign_in(self, sign_in_id: str, *, at: str, role: Role) -> bool:
        """Note that somebody is still there; whether their role is another than before."""
        with self._lock:
            before = self._kept.get(sign_in_id)
            if before is None or before.ended_at:
                return False
            self._kept[sign_in_id] = before.model_copy(update={"last_seen": at, "role": role})
            return before.role != role

    def end_sign_ins(self, sign_ins: Sequence[SignIn], *, at: str, by: str) -> tuple[SignIn, ...]:
        """End those that nobody has ended yet; as they are kept now, by id."""
        with self._lock:
            ids = sorted({each.sign_in_id for each in sign_ins if each.sign_in_id in self._kept})
            ended = [
                ready_sign_in(self._kept[each].model_copy(update={"ended_at": at, "ended_by": by}))
                for each in ids
                if not self._kept[each].ended_at
            ]
            self._kept |= {each.sign_in_id: each for each in ended}
            return tuple(ended)
