"""When a step counts: from when everybody is there, for so many seconds or one volley; CPU and memory beside."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import gevent
import psutil
from gevent.event import Event
from locust import events
from locust.env import Environment

from benchmarks.clocks import ServerClock


@events.init_command_line_parser.add_listener
def _options(parser: Any) -> None:
    parser.add_argument("--asked", required=True, help="a file with a question in each line")
    parser.add_argument("--think", type=float, default=0.0, help="seconds between two questions of one, on average")
    parser.add_argument("--seconds", type=float, default=0.0, help="how long the step counts; 0 = one volley, at once")
    parser.add_argument("--server", type=int, required=True, help="the process that is asked")
    parser.add_argument("--postmaster", type=int, default=0, help="that of its database")
    parser.add_argument("--report", required=True, help="the file to write")


class Meter:
    """Of one step: everything that was asked, by name, while it counted."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self.options = environment.parsed_options
        self.questions = Path(self.options.asked).read_text(encoding="utf-8").splitlines()
        self.begun = Event()
        self._n_ready = self._n_asked = 0
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._failures: Counter[str] = Counter()
        self._server = psutil.Process(self.options.server)
        self._database = ServerClock(self.options.postmaster or None)
        self._before: dict[str, float] = {}
        self._opened: dict[str, list[float]] = {}
        environment.events.request.add_listener(self._heard)

    @property
    def volley(self) -> bool:
        """Whether everybody asks once, at the same moment."""
        return not self.options.seconds

    def ready(self) -> None:
        """One more has everything open; with the last one it begins."""
        self._n_ready += 1
        if self._n_ready == self.options.num_users:
            self._opened, self._seconds = dict(self._seconds), defaultdict(list)
            self._before = self._costs()
            self.begun.set()
            if not self.volley:
                gevent.spawn_later(self.options.seconds, self._end)

    def question(self) -> str:
        """The next one; none is asked twice, in no step, so that no answer is one that is kept."""
        self._n_asked += 1
        again, which = divmod(self._n_asked, len(self.questions))
        step = f"{self.options.num_users}{'v' if self.volley else 's'}"
        return f"{self.questions[which]} ({step}{again})"

    def answered(self) -> None:
        """One of a volley is through."""
        if self.volley and sum(map(len, self._seconds.values())) + self._failures.total() >= self._n_ready:
            gevent.spawn(self._end)  # the end of a step ends who asks: nobody can wait for that from within

    def _heard(self, name: str, response_time: float, exception: BaseException | None, **_: Any) -> None:
        if exception is not None:
            self._failures[f"{name}: {type(exception).__name__}: {str(exception)[:100]}"] += 1
        else:
            self._seconds[name].append(response_time / 1000)

    def _costs(self) -> dict[str, float]:
        own, server, machine = psutil.Process().cpu_times(), self._server.cpu_times(), psutil.cpu_times()
        return {
            "at": time.monotonic(),
            "server_cpu": server.user + server.system,
            "database_cpu": self._database.seconds() or 0.0,
            "load_cpu": own.user + own.system,
            "machine_cpu": sum(getattr(machine, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq")),
            "memory_mb": self._server.memory_info().rss / 2**20,
            "threads": self._server.num_threads(),
            "files": self._server.num_fds() if hasattr(self._server, "num_fds") else 0,
        }

    def _end(self) -> None:
        report = {
            "users": self._n_ready,
            "opened": self._opened,
            "seconds": self._seconds,
            "failures": self._failures,
            "before": self._before,
            "after": self._costs(),
        }
        Path(self.options.report).write_text(json.dumps(report), encoding="utf-8")
        assert self._environment.runner is not None
        self._environment.runner.quit()
