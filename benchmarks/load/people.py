"""People at the dashboard, for Locust: each opens it, goes to the Plan page, asks, thinks, asks again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import gevent
import websocket
from locust import FastHttpUser, events, task
from locust.env import Environment

from benchmarks.load.meter import Meter
from benchmarks.load.speech import Browser, Page, UnansweredError

PATIENCE = 300.0
"""Seconds after which a person takes the page for dead."""


@events.init.add_listener
def _measured(environment: Environment, **_: object) -> None:
    Person.meter = Meter(environment)


class Person(FastHttpUser):
    """One browser with one session."""

    meter: Meter
    _browser: Browser | None = None
    _seen: str = ""

    def on_start(self) -> None:
        """Arrive."""
        self._arrive()
        self.meter.ready()
        while not self.meter.begun.is_set():
            self._rest(0.5)
        if not self.meter.volley:
            self._rest(random.uniform(0, 2 * self.meter.options.think))

    def on_stop(self) -> None:
        """Leave."""
        if self._browser is not None:
            self._browser.close()

    @task
    def ask(self) -> None:
        """A new question by the page's own form; answered = a run that was not there before is drawn whole."""
        self._timed("question", lambda: self._ask(self.meter.question()))
        self.meter.answered()
        if self._browser is None:
            self._arrive()
        self._rest(10 * PATIENCE if self.meter.volley else random.uniform(0.5, 1.5) * self.meter.options.think)

    def _arrive(self) -> None:
        self.client.get("/", name="page")
        while self._browser is None:
            self._timed("home", self._connect)
        self._timed("plan page", lambda: self._open().open("plan"))

    def _connect(self) -> Page:
        self._browser = Browser(self.host or "", patience=PATIENCE)
        return self._browser.open("")

    def _open(self) -> Browser:
        if self._browser is None:
            raise UnansweredError("no socket")
        return self._browser

    def _ask(self, question: str) -> Page:
        page = self._open().submit("plan_build", {"query": question})
        runs = [key for key in page.keys if key.startswith("plan_save_") and key.endswith("_save")]
        if "docgraph.plan.graph" not in page.keys or not runs or runs[0] == self._seen:
            raise UnansweredError("no new plan was drawn")
        self._seen = runs[0]
        return page

    def _rest(self, seconds: float) -> None:
        if self._browser is None:
            gevent.sleep(seconds)
            return
        try:
            self._open().rest(seconds)
        except (OSError, websocket.WebSocketException, UnansweredError) as error:
            self._lost("rest", error, time.perf_counter())

    def _timed(self, name: str, work: Callable[[], Page]) -> None:
        started = time.perf_counter()
        try:
            with gevent.Timeout(PATIENCE):  # a socket's own time-out begins anew with every ping
                page = work()
        except UnansweredError as error:
            self._tell(name, started, 0, error)
        except gevent.Timeout:
            self._lost(name, TimeoutError(f"no answer in {PATIENCE:.0f} s"), started)
        except (OSError, websocket.WebSocketException) as error:
            self._lost(name, error, started)
        else:
            self._tell(name, started, page.n_bytes, None)

    def _lost(self, name: str, error: BaseException, started: float) -> None:
        self._browser = None
        self._tell(f"lost socket, {name}", started, 0, error)

    def _tell(self, name: str, started: float, n_bytes: int, error: BaseException | None) -> None:
        self.environment.events.request.fire(
            request_type="socket",
            name=name,
            response_time=1000 * (time.perf_counter() - started),
            response_length=n_bytes,
            exception=error,
            context={},
        )
