"""Writes the tables of a handout, between two comments of the page, from stored measurements."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.base.text import replaced

BEGIN = "<!-- table {name}: written by {script} -->"
END = "<!-- end of table -->"


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; the first cell of each row names the row."""
    lines = [list(head), *(list(row) for row in rows)]
    text = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines]
    return "\n".join([text[0], "|" + "---|" * len(lines[0]), *text[1:], ""])


def three_digits(value: float) -> str:
    """Three significant digits, as in the handouts: "1560", "316", "41.2", "6.46"."""
    if value >= 1000:
        return f"{round(value, 2 - len(str(int(value))) + 1):.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def with_tables(page: Path, script: str, tables: dict[str, str]) -> str:
    """The page's text with each table in its place. Raises ValueError if a table has no place."""
    text = page.read_text()
    for name, table in tables.items():
        begin = BEGIN.format(name=name, script=script)
        if begin not in text:
            raise ValueError(f"{page}: no place for the table {name}: {begin}")
        text = replaced(text, begin, END, table)
    return text
