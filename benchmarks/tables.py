"""Tables of runs as Markdown, made of their JSON: `docs/benchmarks.md` is written anew from `benchmarks/results`.

python -m benchmarks.tables            # writes the tables into docs/benchmarks.md
python -m benchmarks.tables FILE.json  # prints the tables of one run
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import KINDS, RESULTS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
GOALS: Mapping[str, tuple[str, ...]] = {
    "plan_execute": ("≤ 1.5 / ≤ 2", "≤ 1.2 / ≤ 1.5"),
    "alone": ("≤ 1.5 / ≤ 2", "≤ 1.2 / ≤ 1.5"),
    "part": ("≤ 1.5 / ≤ 2", "≤ 1.2 / ≤ 1.5"),
    "run": ("≤ 3", "≤ 3"),
    "compare": ("--", "--"),
    "rules": ("≤ 1.3", "≤ 1.3"),
    "filter": ("≤ 1", "≤ 1"),
}
"""What is to be reached: with fewer than 10,000 documents, and with more."""
WAYS = {
    "plan_execute": "plan + execute",
    "alone": "the same without relationships",
    "part": "the same over a tenth, by a field",
    "run": "`run()`",
    "compare": "`compare()`",
    "rules": "passages ÷ whole chunks",
    "filter": "plan of a tenth ÷ of all",
}
TRIPS = {"plan": "plan", "plan_execute": "plan + execute", "run": "`run()`", "compare": "`compare()`"}
TRIP_GOALS = {"plan": 3, "plan_execute": 4, "run": 5, "compare": 8}


def main() -> None:
    """Write the page, or print one run."""
    if len(sys.argv) > 1:
        print(tables_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
        return
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), results()), encoding="utf-8")
    print(f"tables written into {PAGE}")


def results(folder: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """Kind → the last run of it, of those that are there."""
    paths = {kind: folder / f"{kind}.json" for kind in KINDS}
    return {kind: json.loads(path.read_text(encoding="utf-8")) for kind, path in paths.items() if path.is_file()}


def page(text: str, runs: Mapping[str, Mapping[str, Any]]) -> str:
    """The page with the tables of these runs between their marks; what stands outside of them is left as it is."""
    for kind, report in runs.items():
        begin, end = f"<!-- {kind}: begin -->", f"<!-- {kind}: end -->"
        if begin not in text or end not in text:
            raise SystemExit(f"docs/benchmarks.md has no place for {kind}: {begin} … {end}")
        whole = f"{begin}\n{tables_of(report)}\n{end}"
        text = re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _, new=whole: new, text, flags=re.DOTALL)
    return text


def tables_of(report: Mapping[str, Any]) -> str:
    """The tables of one run, with when and on what it was made."""
    made = {
        "own": _own,
        "peers": _peers,
        "growth": _growth,
        "dashboard": _dashboard,
        "load": _load,
        "memory": _memory,
        "curating": _curating,
        "texts": _texts,
    }[report["kind"]]
    return "\n\n".join([_head(report), *made(report["figures"])])


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table of Markdown; what is not known is ``--``."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return "--"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _head(report: Mapping[str, Any]) -> str:
    machine, versions, options = report["machine"], report["versions"], dict(report["options"])
    seconds = options.pop("seconds", None)
    server = f", PostgreSQL {versions['postgresql']}, pgvector {versions['vector']}" if "postgresql" in versions else ""
    asked = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options.items())
    return (
        f"*{report['at'][:10]}, docgraph {versions['docgraph']}, Python {versions['python']}{server}; "
        f"{machine['cpus']} cores, {machine['memory_gb']} GB, load before {machine['load_before'][0]}; "
        f"{asked}; {seconds} s.*"
    )


def _own(found: Mapping[str, Any]) -> Iterator[str]:
    rows = []
    for size in found["sizes"]:
        for name, each in size.items():
            if isinstance(each, dict):
                rows.append(_question_row(size["documents"], name, each))
    head = [
        "documents",
        "what",
        "signal",
        "p50 / p95 ÷ by hand",
        "goal",
        "client CPU",
        "server CPU",
        "ms: docgraph / by hand",
    ]
    yield table([*head, "equal plans / chunks"], rows)
    trips = found["trips"]
    yield table(
        ["round trips", "docgraph", "goal"],
        [*([TRIPS[name], trips[name], TRIP_GOALS[name]] for name in TRIPS), ["by hand", trips["handwritten"], "--"]],
    )
    yield _imports(found["ingest"])
    if "programs" in found:
        each = found["programs"]
        a, b = each["docgraph_plan"], each["python_psycopg"]
        yield table(
            ["from the shell", "`docgraph plan`", "python + psycopg", "ratio", "goal"],
            [
                ["CPU, seconds", a["cpu"], b["cpu"], each["cpu"], "≤ 4.5"],
                ["by the clock, seconds", a["wall"], b["wall"], each["wall"], "--"],
                ["memory, MB", a["memory_mb"], b["memory_mb"], each["memory_mb"], "--"],
            ],
        )


def _question_row(documents: int, name: str, each: Mapping[str, Any]) -> list[Any]:
    way, signal = name.rsplit("_", 1)
    goal = GOALS[way][documents >= 10_000]
    times = f"{each['mine']['p50_ms']:.1f} / {each['base']['p50_ms']:.1f}"
    equal = f"{each['equal_plans']} / {each['equal_chunks']}" if "equal_plans" in each else "--"
    ratios = f"**{each['p50']}** / {each['p95']}"
    return [documents, WAYS[way], f"`{signal}`", ratios, goal, each["client_cpu"], each["server_cpu"], times, equal]


def _imports(found: Mapping[str, Any]) -> str:
    rows = []
    for name, what, goal in (
        ("public", "`ingest_records` ÷ binary COPY of the same rows into equal tables", "≥ 0.6"),
        ("store", "the store's `write` ÷ COPY by hand", "--"),
    ):
        each = found[name]
        speeds = [each["documents_per_second"], each["base_documents_per_second"]]
        cpu = f"{each['client_cpu_ms']:.0f} + {each['server_cpu_ms'] or 0:.0f}"
        base = f"{each['base_client_cpu_ms']:.0f} + {each['base_server_cpu_ms'] or 0:.0f}"
        rows.append([what, *speeds, f"**{each['speed']}**", goal, f"{cpu} / {base}"])
    head = ["import", "documents/s", "base", "speed", "goal", "CPU ms, client + server / base"]
    return table(head, rows)


def _peers(found: Mapping[str, Any]) -> Iterator[str]:
    for size in found["sizes"]:
        names = list(dict.fromkeys(name for sides in size["ways"].values() for name in sides))
        others = [name for name in names if name != "by hand"]
        rows = []
        for way, sides in size["ways"].items():
            ratios = [
                f"{_first(sides, name, others)} / {sides[name]['p95']}" if name in sides else None for name in others
            ]
            cpu = [
                " / ".join(str(sides[name][key]) for name in others if name in sides)
                for key in ("client_cpu", "server_cpu")
            ]
            equal = min(each["equal_plans"] for each in sides.values())
            recall = min(each["chunk_recall"] for each in sides.values())
            rows.append([way, f"{sides['by hand']['mine']['p50_ms']:.1f}", *ratios, *cpu, f"{equal} / {recall}"])
        what = f"{size['documents']:,} documents, {size['chunks']:,} chunks"
        sides_said = [f"{name}, p50 / p95 ÷ by hand" for name in others]
        head = [
            what,
            "by hand, p50 ms",
            *sides_said,
            "client CPU ÷",
            "server CPU ÷",
            "equal plans / chunk recall, of all",
        ]
        yield table(head, rows)
        speeds = ", ".join(f"{name} {each['speed']}" for name, each in size["imports"].items())
        yield f"Import ÷ COPY: {speeds}."
        yield from (f"{peer} failed: `{why}`" for peer, why in size["failed"].items())
    yield from (f"{peer} could not be installed: `{why}`" for peer, why in found["not_installed"].items())
    lines = [f"{peer}: {', '.join(names)}" for peer, names in found["versions"].items()]
    yield "Versions: " + "; ".join(lines) + "."


def _first(sides: Mapping[str, Any], name: str, others: Sequence[str]) -> str:
    """The ratio of one side, bold where no other is faster."""
    best = min(sides[each]["p50"] for each in others if each in sides)
    said = sides[name]["p50"]
    return f"**{said}**" if said == best else str(said)


def _growth(found: Mapping[str, Any]) -> Iterator[str]:
    steps = found["steps"]
    head = ["signal, ranking", *(f"{step['chunks']:,} chunks" for step in steps), f"÷ {steps[0]['chunks']:,}", "goal"]
    rows = []
    for name, ratios in found["growth"].items():
        each = [step["ways"].get(name) for step in steps]
        goal = "10k → 1M ≤ 1.5" if name.startswith("hybrid") else "--"
        rows.append(
            [name, *map(_milliseconds, each), " / ".join("--" if r is None else str(r) for r in ratios[1:]), goal]
        )
    yield (
        "Server CPU of a plan (in brackets: by the clock), milliseconds, medians; behind it the share of the "
        "exact plan's documents in the plan, and of exact search's first 20 documents among the first 20."
    )
    yield table(head, rows)
    if each := found.get("import"):
        held = ", ".join(f"{n:.0f}" for n in each["megabytes"])
        what = f"Memory of an import of {each['documents']:,} documents"
        yield f"{what}, in tenths of it, MB: {held} ({each['seconds']} s)."


def _milliseconds(way: Mapping[str, Any] | None) -> str | None:
    if way is None:
        return None
    server, overlap = way["server_cpu_ms"], way.get("overlap", [1.0])
    shares = "" if min(overlap) == 1 else " " + ", ".join(map(str, overlap))
    return f"{'--' if server is None else f'{server:.1f}'} ({way['p50_ms']:.1f}){shares}"


def _dashboard(found: Mapping[str, Any]) -> Iterator[str]:
    rerun, submit, load, many = (found[name] for name in ("rerun", "submit", "first_load", "sessions"))
    rows = [
        [
            "CPU of a rerun of the Plan page, nothing changed",
            rerun["cpu_ms"],
            rerun["base_cpu_ms"],
            rerun["ratio"],
            "≤ 2",
        ],
        ["*Build plan* → painted graph ÷ click → text", submit["ms"], submit["base_ms"], submit["ratio"], "≤ 3"],
        *(
            [
                [
                    "J → the next decision with its acts ÷ Enter → text",
                    *(step[n] for n in ("ms", "base_ms", "ratio")),
                    "≤ 3",
                ]
            ]
            if (step := found.get("decision"))
            else []
        ),
        ["first load of Home", load["ms"], load["base_ms"], load["ratio"], "≤ 1.4"],
    ]
    yield table(
        ["milliseconds", "docgraph", "trivial app", "ratio", "goal"], [[*r[:3], f"**{r[3]}**", r[4]] for r in rows]
    )
    ends = ", ".join(f"{end}: {n}" for end, n in many["ends"].items())
    yield (
        f"{many['sessions']} sessions asking at once: {many['lost']} lost (trivial app: {many['base_lost']}); {ends}; "
        f"half of them within {many['p50_seconds'][0]} s (trivial app: {many['p50_seconds'][1]} s)."
    )
    if chosen := found.get("folder"):
        apart = f"measured apart, {chosen['at'][:10]}, load before {chosen['load_before'][0]}" if "at" in chosen else ""
        yield (
            f"A folder of {chosen['files']:,} files from the browser{f' ({apart})' if apart else ''}: "
            f"previewed after {chosen['preview_seconds']} s, imported after {chosen['imported_seconds']} s; "
            f"the tab silent for {chosen['longest_gap_ms']} ms at most."
        )
        ways = {"chosen": "chosen", "dropped": "dropped", "listed": "listed by the browser (no dialog for folders)"}
        numbers = list(chosen["until_packed_ms"]["chosen"])
        yield table(
            ["longest silence of the tab until the folder is packed, ms", *(f"{int(n):,} files" for n in numbers)],
            [[said, *(chosen["until_packed_ms"][way][n] for n in numbers)] for way, said in ways.items()],
        )


def _load(found: Mapping[str, Any]) -> Iterator[str]:
    for kind, who in (("people", "people at the dashboard"), ("assistants", "assistants over MCP")):
        head = [
            who,
            "questions/s",
            "p50 s",
            "p95 s",
            "CPU ms a question: process / database",
            "cores: process / others",
        ]
        rows = [_load_row(each) for each in found[kind]]
        yield table([*head, "memory MB", "files", "failed"], rows)
        once = found[f"{kind}_at_once"]
        yield (
            f"{once['users']} asking at the same moment: {once['questions']} answered, "
            f"{sum(once['failures'].values())} failed or lost; half "
            f"of them within {once['p50_s']} s, the last after {once['max_s']} s."
        )


def _load_row(each: Mapping[str, Any]) -> list[Any]:
    cpu = f"{each['server_cpu_ms']} / {each['database_cpu_ms']}"
    seen = [
        each["users"],
        each["per_second"],
        each["p50_s"],
        each["p95_s"],
        cpu,
        f"{each['cores']['server']} / {each['cores']['others']}",
    ]
    return [*seen, each["memory_mb"], each["files"], sum(each["failures"].values())]


def _memory(found: Mapping[str, Any]) -> Iterator[str]:
    rows = []
    for each in found["steps"]:
        goal = {"at start": "≤ 300", "100 sessions open": "≤ 400"}.get(each["when"])
        rows.append([each["when"], each["resident_mb"], goal, each["own_mb"], each["threads"], each.get("cpu_ms")])
    head = ["the dashboard's process", "resident MB", "goal", "own MB", "threads", "CPU ms a visit"]
    yield table(head, rows)
    first = found["with_import"]
    yield f"Right after it has imported the sample corpus: {first['resident_mb']} MB resident, {first['own_mb']} own."


def _curating(found: Mapping[str, Any]) -> Iterator[str]:
    if page := found.get("page"):
        yield table(
            ["from *Save and next* until", "median", "p95", "goal"],
            [
                ["the next decision is drawn, ms", page["next_ms"]["median"], page["next_ms"]["p95"], page["goal_ms"]],
                ["the checks have run anew, ms", page["checked_ms"]["median"], page["checked_ms"]["p95"], None],
            ],
        )
    names = {"edit": "the edit", "evidence": "texts side by side", "effects": "effects", "check": "checks anew"}
    parts = found["parts"]
    yield table(
        ["part alone", "p50 ms", "client CPU ms", "server CPU ms"],
        [
            [said, *(round(parts[name][key], 1) for key in ("p50_ms", "client_cpu_ms", "server_cpu_ms"))]
            for name, said in names.items()
        ],
    )


def _texts(found: Mapping[str, Any]) -> Iterator[str]:
    rows, again = [], []
    for each in found["folders"]:
        first, base = each["first"], each["count"]["p50_ms"] + each["copy"]["p50_ms"]
        per_second = [round(1_000 * each["chunks"] / ms) for ms in (first["p50_ms"], base)]
        cpu = first["client_cpu_ms"] + (first["server_cpu_ms"] or 0)
        ratio = f"**{base / first['p50_ms']:.2f}**"
        sizes = [each["name"], each["documents"], each["chunks"]]
        rows.append([*sizes, *per_second, ratio, *_seconds(first), each["peak_mb"]])
        for name, way in (("the same process", each["again"]), ("a new process", each["anew"])):
            share = (way["client_cpu_ms"] + (way["server_cpu_ms"] or 0)) / cpu
            again.append([each["name"], name, *_seconds(way), f"**{share:.0%}**", "≤ 10%"])
        again.append([each["name"], "preview alone", *_seconds(each["preview"]), None, None])
    yield table(
        ["folder", "documents", "chunks", "chunks/s", "base", "speed", "s", "client CPU s", "server CPU s", "peak MB"],
        rows,
    )
    yield table(
        ["folder", "imported again, unchanged, by", "s", "client CPU s", "server CPU s", "CPU ÷ first", "goal"], again
    )
    if many := found.get("many"):
        names = {
            "first": "first import",
            "changed": "one file changed, same process",
            "anew": "one file changed, new process",
        }
        goals = {"first": None}
        yield table(
            [f"{many['documents']:,} small files", "s", "client CPU s", "server CPU s", "goal"],
            [[said, *_seconds(many[name]), goals.get(name, "≤ 2 s")] for name, said in names.items()],
        )


def _seconds(cost: Mapping[str, Any]) -> list[float | None]:
    """By the clock, of the client, of the server."""
    values = (cost["p50_ms"], cost["client_cpu_ms"], cost["server_cpu_ms"])
    return [None if each is None else round(each / 1_000, 2) for each in values]


if __name__ == "__main__":
    main()
