"""Lines of the log: one a record, with its request, in both forms, and never a secret, not even in a traceback."""

from __future__ import annotations

import contextvars
import io
import json
import logging

from docgraph.boundary.logs import AUDIT, Line, begin_request, log_to, one_request, request_id
from docgraph.settings import read_settings, secrets_of

SECRET = "marker-p@ss/w0rd"


def record(message: str, *, error: BaseException | None = None) -> logging.LogRecord:
    raised = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("docgraph.x", logging.WARNING, "f.py", 1, message, None, raised)


def test_a_line_of_json_has_its_request_and_a_secret_is_hidden_in_message_and_traceback() -> None:
    try:
        raise ValueError(f"cannot connect to postgresql://me:{SECRET}@db\nline two")
    except ValueError as error:
        raised = error
    with one_request() as request:
        text = Line("json", [SECRET]).format(record(f"failed with {SECRET}\nforged: line", error=raised))
    said = json.loads(text)
    assert "\n" not in text
    assert (said["level"], said["logger"], said["request"]) == ("warning", "docgraph.x", request)
    assert said["message"] == "failed with ***\nforged: line"
    assert "Traceback" in said["error"]
    assert SECRET not in text


def test_a_line_of_text_is_one_line_whatever_it_says() -> None:
    try:
        raise ValueError(f"{SECRET}\nline two")
    except ValueError as error:
        raised = error
    text = Line("text", [SECRET]).format(record("first\nforged", error=raised))
    assert "\n" not in text
    assert SECRET not in text
    assert "docgraph.x: first forged | Traceback" in text


def test_a_traceback_is_left_out_where_it_may_quote_what_is_somebody_s() -> None:
    try:
        raise ValueError("a title")
    except ValueError as error:
        raised = error
    for form in ("text", "json"):
        told = Line(form, tracebacks=False).format(record("failed", error=raised))
        assert "failed" in told
        assert "a title" not in told


def test_short_values_are_not_hidden_in_every_word() -> None:
    assert "the me" in Line("text", ["e", "he"]).format(record("the me"))


def test_the_secrets_of_the_settings_are_all_of_them_and_the_password_inside_a_url() -> None:
    settings = read_settings(
        database_url="postgresql://me:p%40ss-word@db/x", embedder_api_key="key-one", oidc_client_secret="client-two"
    )
    assert {"p%40ss-word", "p@ss-word", "key-one", "client-two"} < set(secrets_of(settings))


def test_the_framework_s_own_handlers_give_way_levels_hold_and_afterwards_all_is_as_before() -> None:
    own_log, others = io.StringIO(), io.StringIO()
    other = logging.getLogger("framework.of.a.test")
    other.handlers, other.propagate = [logging.StreamHandler(others)], False
    other.setLevel(logging.INFO)
    before = (logging.getLogger().handlers[:], logging.getLogger().level)
    with log_to(own_log, form="json", level="warning"):
        other.info("not wanted")
        other.warning("wanted")
        logging.getLogger("docgraph.audit").info("{}")
    assert [json.loads(line)["message"] for line in own_log.getvalue().splitlines()] == ["wanted", "{}"]
    assert others.getvalue() == ""
    other.info("as before")
    assert others.getvalue() == "as before\n"
    assert (logging.getLogger().handlers, logging.getLogger().level) == before


def test_everything_inside_one_request_has_its_id_and_nothing_outside() -> None:
    assert request_id() == ""
    with one_request() as one:
        assert request_id() == one
        assert len(one) == 12
        with one_request() as two:
            assert request_id() == two != one
        assert request_id() == one
    assert request_id() == ""
    assert contextvars.copy_context().run(begin_request)
    assert request_id() == ""


def test_a_line_of_text_steers_no_terminal() -> None:
    """It let escape sequences through: a title could clear an operator's screen, or hide the lines before it."""
    try:
        raise ValueError("\x1b[2J\x9b31m")
    except ValueError as error:
        text = Line("text").format(record("said \x1b]0;title\x07\u202e", error=error))
    assert "said \\x1b]0;title\\x07\\u202e" in text
    assert text.isprintable()


def test_a_line_of_the_audit_is_never_cut() -> None:
    """20 long ids in another script made more than a message may have: the line lost its outcome and was no JSON."""
    whole = json.dumps({"subjects": ["\U0001f991" * 500] * 20, "outcome": "done"})
    said = json.loads(Line("json").format(logging.LogRecord(AUDIT, logging.INFO, "f.py", 1, whole, None, None)))
    assert json.loads(said["message"])["outcome"] == "done"
    assert len(json.loads(Line("json").format(record(whole)))["message"]) == 20_000
