"""Visitors who come one after the other and stay: each opens Home, asks on the Plan page, and looks at one page more.

    python -m benchmarks.load.visits URL FILE

Reads how many more are to come from standard input, a number a line, and answers each line once they are there; at the
end of the input all of them leave. Runs in the environment that Locust is in, which has the client of web sockets.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from pathlib import Path

from benchmarks.load.speech import Browser

PATIENCE = 300.0
PAGES = ("compare", "library", "relationships", "query_sets", "runs", "conversation")
"""One of them each, in turn, beside Home and Plan."""


def visit(url: str, number: int, question: str) -> Browser:
    """One visitor, with everything looked at; the page stays open."""
    browser = Browser(url, patience=PATIENCE)
    browser.open("")
    browser.open("plan")
    browser.submit("plan_build", {"query": f"{question} ({number})"})
    browser.open(PAGES[number % len(PAGES)], query=question)
    return browser


def main() -> None:
    """Come as told, and stay until the input ends."""
    url, asked = sys.argv[1], Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    there: list[Browser] = []
    lock = threading.Lock()
    threading.Thread(target=_stay, args=(there, lock), daemon=True).start()
    numbers = itertools.count()
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            number, began = next(numbers), time.perf_counter()
            visitor = visit(url, number, asked[number % len(asked)])
            seconds.append(time.perf_counter() - began)
            with lock:
                there.append(visitor)
        print(sorted(seconds)[len(seconds) // 2], flush=True)
    with lock:
        for each in there:
            each.close()


def _stay(there: list[Browser], lock: threading.Lock) -> None:
    """Answer pings and ask for fragments that are due, as open pages do."""
    while True:
        time.sleep(0.5)
        with lock:
            for each in there:
                each.rest(0.02)


if __name__ == "__main__":
    main()
