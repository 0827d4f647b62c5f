"""Sign-ins as a process knows them: what counts, how soon an end is noticed, and what the audit hears."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from docgraph.domain.person import Person
from docgraph.plugins.stores.memory.sign_ins import MemorySignIns
from docgraph.settings import Settings, read_settings
from docgraph.ui.frame import signing
from docgraph.ui.frame.sign_ins import FRESH_SECONDS, REFUSALS_A_MINUTE, SEEN_SECONDS, SignIns, browser_of, id_of
from docgraph.ui.frame.signing import AHEAD_SECONDS

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
SET_UP: dict[str, Any] = {
    "oidc_metadata_url": "https://id.example/.well-known/openid-configuration",
    "admins": ("ann@docs.example",),
    "role_claim": "may",
}


def claims(who: str = "ann", **more: Any) -> dict[str, Any]:
    verified = {"email": f"{who}@docs.example", "email_verified": True}
    return {"is_logged_in": True, "sub": who, "iat": int(time.time()), "nonce": "n1", **verified, **more}


class Process:
    """One process over a log of sign-ins that others may share, with a clock of its own."""

    def __init__(self, log: MemorySignIns, **settings: Any) -> None:
        self.now, self.lines = 0.0, []
        self.settings: Settings = read_settings(**{**SET_UP, **settings})
        self.lines: list[Mapping[str, Any]] = []
        self.sign_ins = SignIns(log, self.lines.append, self.settings, clock=lambda: self.now)

    def acts(self) -> list[tuple[str, str, str]]:
        return [(line["act"], line["by"], line["outcome"]) for line in self.lines]


@pytest.fixture
def log() -> MemorySignIns:
    return MemorySignIns()


def test_a_sign_in_counts_for_its_token_with_its_claims_alone(log: MemorySignIns) -> None:
    it = Process(log).sign_ins
    token = it.begin(claims(), agent=AGENT)
    assert token is not None
    assert it.person(id_of(token), claims()) == Person(name="ann@docs.example", role="admin")
    as_in_a_page = {**claims(), "provider": "default", "tokens": {}}
    assert it.person(id_of(token), as_in_a_page) is not None
    assert it.person("", claims()) is None
    assert it.person(id_of("x" * 43), claims()) is None
    assert it.person(id_of(token), claims("ben")) is None
    assert it.person(id_of(token), claims(nonce="n2")) is None, "the cookie of another sign-in of hers"
    assert it.person(id_of(token), claims(may="admin", iat=float("nan"))) is None


def test_the_token_itself_is_kept_nowhere(log: MemorySignIns) -> None:
    process = Process(log)
    token = process.sign_ins.begin(claims(), agent=AGENT)
    assert token is not None
    (kept,) = log.sign_ins([id_of(token)])
    assert token not in kept.model_dump_json()
    assert token not in str(process.lines)
    assert kept.browser == "Firefox 128 on Linux"


def test_a_copy_of_the_cookies_dies_with_signing_out_in_every_process_within_seconds(log: MemorySignIns) -> None:
    one, other = Process(log), Process(log)
    token = one.sign_ins.begin(claims(), agent=AGENT)
    assert token is not None
    ann = other.sign_ins.person(id_of(token), claims())
    assert ann is not None
    one.sign_ins.sign_out(id_of(token), ann)
    assert one.sign_ins.person(id_of(token), claims()) is None, "here it ends at once"
    other.now = FRESH_SECONDS + 0.1
    assert other.sign_ins.person(id_of(token), claims()) is None
    assert one.acts() == [("sign_in", "ann@docs.example", "done"), ("sign_out", "ann@docs.example", "done")]


def test_signing_out_everywhere_ends_all_of_hers_and_nobody_else_s(log: MemorySignIns) -> None:
    it = Process(log).sign_ins
    mine, phone, ben = (
        it.begin(each, agent=AGENT) for each in (claims(), claims(nonce="n2"), claims("ben", nonce="n3"))
    )
    assert mine is not None
    assert phone is not None
    assert ben is not None
    it.sign_out(id_of(mine), Person(name="ann@docs.example", role="admin"), everywhere=True)
    assert it.person(id_of(phone), claims(nonce="n2")) is None
    assert it.person(id_of(ben), claims("ben", nonce="n3")) is not None


def test_signing_in_again_in_one_browser_ends_what_it_held_before(log: MemorySignIns) -> None:
    it = Process(log).sign_ins
    before, bens = it.begin(claims(), agent=AGENT), it.begin(claims("ben"), agent=AGENT)
    assert before is not None
    assert bens is not None
    it.begin(claims(nonce="n2"), agent=AGENT, instead_of=id_of(before))
    it.begin(claims(nonce="n3"), agent=AGENT, instead_of=id_of(bens))
    assert it.person(id_of(before), claims()) is None
    assert it.person(id_of(bens), claims("ben")) is not None, "somebody else's is not theirs to end"


def test_the_role_is_that_of_the_settings_of_now_and_a_new_one_is_told_once(log: MemorySignIns) -> None:
    before = Process(log)
    token = before.sign_ins.begin(claims(may="curator", email_verified=False), agent=AGENT)
    assert token is not None
    after = Process(log, role_claim="other")
    said = claims(may="curator", email_verified=False)
    for _ in range(3):
        found = after.sign_ins.person(id_of(token), said)
        assert found is not None
        assert found.role == "viewer"
    assert after.acts() == [("role_change", "ann", "done")]
    assert after.lines[0]["subjects"] == ["curator → viewer"]
    assert Process(log, role_claim="other", default_role="none").sign_ins.person(id_of(token), said) is None


def test_the_hours_of_now_count_for_a_sign_in_of_before(log: MemorySignIns) -> None:
    long_ago = claims(iat=int(time.time()) - 3 * 3600)
    token = Process(log).sign_ins.begin(long_ago, agent=AGENT)
    assert token is not None
    assert Process(log).sign_ins.person(id_of(token), long_ago) is not None
    assert Process(log, sign_in_hours=2).sign_ins.person(id_of(token), long_ago) is None
    assert Process(log, sign_in_hours=200).sign_ins.begin(claims(iat=1), agent=AGENT) is None


def test_who_is_turned_away_is_told_to_the_audit_and_cannot_fill_it(log: MemorySignIns) -> None:
    process = Process(log, default_role="none")
    assert process.sign_ins.begin(claims("eve"), agent=AGENT) is None
    assert process.acts() == [("sign_in", "eve", "refused")]
    for _ in range(5 * REFUSALS_A_MINUTE):
        process.sign_ins.refused("eve", "no")
    assert len(process.lines) == REFUSALS_A_MINUTE
    process.now = 61.0
    process.sign_ins.refused("eve", "no")
    assert len(process.lines) == REFUSALS_A_MINUTE + 1
    assert log.open_sign_ins("2020-01-01T00:00:00+00:00") == ()


class Counting(MemorySignIns):
    """Counts what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.n_asked = self.n_seen = 0

    def sign_ins(self, ids: Any) -> Any:
        self.n_asked += 1
        return super().sign_ins(ids)

    def saw_sign_in(self, *given: Any, **named: Any) -> bool:
        self.n_seen += 1
        return super().saw_sign_in(*given, **named)


def test_the_database_is_asked_every_few_seconds_and_told_once_a_minute() -> None:
    log = Counting()
    process = Process(log)
    token = process.sign_ins.begin(claims(), agent=AGENT)
    assert token is not None
    log.n_asked = log.n_seen = 0
    process.now = 1_000.0
    for step in range(1_000):
        process.now = 1_000.0 + step / 10
        assert process.sign_ins.person(id_of(token), claims()) is not None
    assert log.n_asked <= 100 / FRESH_SECONDS + 1
    assert log.n_seen == 1 + int(100 / SEEN_SECONDS)


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (AGENT, "Firefox 128 on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
            "Safari/537.36 Edg/126.0.0.0",
            "Edge 126 on Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
            "Safari/605.1.15",
            "Safari 17 on macOS",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari 17 on iOS",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
            "Safari/537.36",
            "Chrome 126 on Android",
        ),
        ("curl/8.5.0", ""),
        ("", ""),
        ("<script>alert(1)</script> Firefox/" + "9" * 10_000, "Firefox 9999"),
    ],
)
def test_a_browser_is_told_in_few_words(agent: str, told: str) -> None:
    assert browser_of(agent) == told


@pytest.mark.parametrize("token", ["", "short", "x" * 42, "x" * 44, "x" * 42 + ";", "\xff" * 43])
def test_what_is_no_token_is_looked_up_nowhere(token: str) -> None:
    assert id_of(token) == ""


def test_somebody_sees_and_ends_their_own_sign_ins_and_nobody_else_s(log: MemorySignIns) -> None:
    process = Process(log)
    it = process.sign_ins
    here, there = (it.begin(claims(nonce=nonce), agent=AGENT) for nonce in ("n1", "n2"))
    bens = it.begin(claims("ben"), agent=AGENT)
    assert here is not None
    assert there is not None
    assert bens is not None
    assert {each.sign_in_id for each in it.mine(id_of(here))} == {id_of(here), id_of(there)}
    assert it.mine("") == ()
    ann = Person(name="ann@docs.example", role="viewer")
    assert it.end_mine([id_of(bens)], id_of(here), ann) == ()
    assert it.person(id_of(bens), claims("ben")) is not None
    assert [each.sign_in_id for each in it.end_mine([id_of(there), id_of(bens)], id_of(here), ann)] == [id_of(there)]
    assert it.person(id_of(there), claims(nonce="n2")) is None, "at once, in this process"
    assert it.person(id_of(here), claims(nonce="n1")) is not None
    assert process.acts()[-1] == ("sign_out", "ann@docs.example", "done")
    assert [len(process.lines[-1]["subjects"]), process.lines[-1]["n"]] == [1, 1]


def test_a_clock_that_is_set_back_ends_what_was_seen_in_its_future(
    log: MemorySignIns, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Process(log)
    said = claims()
    token = process.sign_ins.begin(said, agent=AGENT)
    assert token is not None
    began = time.time()
    for back, counts in ((AHEAD_SECONDS - 60, True), (3_600.0, False), (0.0, False)):
        monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda back=back: began - back))
        assert (process.sign_ins.person(id_of(token), said) is not None) is counts
    (kept,) = log.sign_ins([id_of(token)])
    assert (kept.ended_at >= kept.created, kept.ended_by) == (True, "the clock")
    assert (process.lines[-1]["act"], process.lines[-1]["error"]) == ("sign_out", "the clock was set back")


def test_a_token_of_the_future_begins_no_sign_in(log: MemorySignIns) -> None:
    process = Process(log)
    assert process.sign_ins.begin(claims(iat=time.time() + AHEAD_SECONDS + 60), agent=AGENT) is None
    assert process.lines[-1]["outcome"] == "refused"
    assert process.sign_ins.begin(claims(iat=time.time() + AHEAD_SECONDS - 60), agent=AGENT) is not None
