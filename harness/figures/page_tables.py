"""Writes the tables of a handout, between two comments of the page, from stored times.

The date of a part's times on the page also comes from the stored times:

    <!-- date of transpose -->24 November 2026<!-- end -->

Each <name>/figures/tables.py declares its tables and calls run(). The times are in measured.json in
the same folder, in ms, as the last `make ladder-<name> DEVICE=gpu` of the part has left them:

    {"transpose": {"gpu": "NVIDIA H200", "driver": "580.159.04", "date": "2026-11-24",
                   "times": {"8192x8192": {"01_naive": 0.969, "solution": 0.13}}}}

"limits" beside the times has, by case, the limit of the link to the host's memory; "per cent" in
place of the times has the values of a GPU's counters.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.base.gpu_state import measured_today
from grader.base.text import replaced, time_text
from harness.figures.programs import gpu_name

BEGIN = "<!-- table {name}: written by {script} -->"
END = "<!-- end of table -->"
DATE = re.compile(r"(<!-- date of (\w+) -->)[^<]*<!-- end -->")
ROOT = Path(__file__).resolve().parents[2]

Times = Mapping[str, Mapping[str, float]]  # ms by case and entry
Cell = Callable[[Times, str, str], str]
NOT_TIMED = "–"


@dataclass(frozen=True)
class Table:
    """A table with a row per entry and a column per case."""

    part: str
    columns: Mapping[str, str]  # the columns' heads, by case
    rows: Mapping[str, str]  # the rows' names, by entry
    head: str = ""
    cell: Cell | None = None  # unless a cell is the time alone
    # A column after the others: its head, and the function that makes its cell from the stored data
    # of the part and an entry.
    last: tuple[str, Callable[[dict, str], str]] | None = None

    def text(self, stored: dict) -> str:
        show, times = self.cell or plain, stored["times"]
        rows = []
        for entry, name in self.rows.items():
            row = [name]
            for case in self.columns:
                timed = entry in times.get(case, {})
                row.append(show(times, case, entry) if timed else NOT_TIMED)
            if self.last:
                row.append(self.last[1](stored, entry))
            rows.append(row)
        head = [self.head, *self.columns.values(), *([self.last[0]] if self.last else [])]
        return markdown(head, rows)


def plain(times: Times, case: str, entry: str) -> str:
    return time_text(times[case][entry])


def share_of(limit: str) -> Cell:
    """Adds to each time the share that another entry, which moves as many bytes, would need."""

    def cell(times: Times, case: str, entry: str) -> str:
        share = times[case][limit] / times[case][entry]
        return f"{time_text(times[case][entry])}, {share:.0%}".replace("%", " %")

    return cell


def title(entry: str) -> str:
    """ "03_bit_by_shift" -> "3 bit by shift" """
    number, _, words = entry.partition("_")
    return f"{int(number)} {words.replace('_', ' ')}" if number.isdigit() else entry


def titles(*entries: str, **others: str) -> dict[str, str]:
    """Rows of a table: entries by their own names, and others by the given names."""
    return {entry: title(entry) for entry in entries} | others


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; the first cell of each row names the row."""
    lines = [list(head), *(list(row) for row in rows)]
    text = [" ".join(["|", *(f"{cell} |".strip() for cell in cells)]) for cells in lines]
    return "\n".join([text[0], "|" + "---|" * len(lines[0]), *text[1:], ""])


def three_digits(value: float) -> str:
    """Three significant digits, as in the handouts: "1560", "316", "41.2", "6.46"."""
    if value >= 1000:
        return f"{round(value, 2 - len(str(int(value))) + 1):.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def with_dates(text: str, stored: Mapping[str, Mapping[str, str]]) -> str:
    """The text with the dates on which the named parts were measured."""

    def written(found: re.Match[str]) -> str:
        day = datetime.date.fromisoformat(stored[found[2]]["date"])
        return f"{found[1]}{day.day} {day:%B} {day.year}<!-- end -->"

    return DATE.sub(written, text)


def with_tables(text: str, page: Path, script: str, tables: Mapping[str, str]) -> str:
    """The page's text with each table in its place. Raises ValueError if a table has no place."""
    for name, table in tables.items():
        begin = BEGIN.format(name=name, script=script)
        if begin not in text:
            raise ValueError(f"{page}: no place for the table {name}: {begin}")
        text = replaced(text, begin, END, table)
    return text


def take(measured: Path, ladder: Path) -> None:
    """Stores the times of the last ladder; parts that the ladder did not run keep theirs."""
    stored = json.loads(measured.read_text())
    found = json.loads(ladder.read_text())
    for name, part in found["parts"].items():
        times = {
            case: {entry: float(f"{ms:.4g}") for entry, ms in entries.items()}
            for case, entries in (part["times"] | part["by_size"]).items()
        }
        about = {key: found[key] for key in ("gpu", "driver", "date") if key in found}
        stored[name] = about | {"times": times}
        if part["limits"]:
            stored[name]["limits"] = {c: float(f"{ms:.3g}") for c, ms in part["limits"].items()}
    measured.write_text(json.dumps(stored, indent=1) + "\n")


def store(measured: Path, name: str, values: Times, unit: str = "times") -> None:
    """Stores the result of a program of figures/ on this machine's GPU under `name`: times in ms
    or, for the unit "per cent", percentages.
    """
    stored = json.loads(measured.read_text())
    stored[name] = measured_today(gpu_name()) | {unit: values}
    measured.write_text(json.dumps(stored, indent=1) + "\n")


def run(
    script: Path,
    tables: Mapping[str, Table | Callable[[dict], str]],
    experiments: Iterable[Sequence[str]] = (),
    page: str = "README.md",
    more: Mapping[str, Path] | None = None,
) -> None:
    """The command line of a tables.py: writes the tables into the handout, or another page.

    A table that is no Table is made from all stored data. The experiments are commands of Python
    scripts beside tables.py, which measure on a GPU values that no ladder has, and store them.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--take", action="store_true", help="the times of the last make ladder")
    parser.add_argument("--measure", action="store_true", help="run the experiments first")
    parser.add_argument("--check", action="store_true", help="write nothing; differences: exit 1")
    wanted = parser.parse_args()
    if wanted.measure:
        for name, *options in experiments:
            subprocess.run([sys.executable, script.with_name(name), *options], check=True, cwd=ROOT)
    path, measured = script.parents[1] / page, script.with_name("measured.json")
    if wanted.take:
        take(measured, ROOT / "build" / "ladder" / f"{path.parent.name}.json")
    stored = json.loads(measured.read_text())
    stored |= {name: json.loads(file.read_text()) for name, file in (more or {}).items()}
    written = {
        name: table.text(stored[table.part]) if isinstance(table, Table) else table(stored)
        for name, table in tables.items()
    }
    dated = with_dates(path.read_text(), stored)
    text = with_tables(dated, path, f"figures/{script.name}", written)
    if not wanted.check:
        path.write_text(text)
    elif text != path.read_text():
        raise SystemExit(f"{path}: a table is not that of {measured}: python {script}")
