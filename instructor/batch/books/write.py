"""Writes all files about a class, from the students' result.json files."""

import csv
import io
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.files import write_whole
from instructor.batch.books import gradebook, pages
from instructor.batch.books.junit import write_junit
from instructor.batch.books.summary import summarise, summary_text
from instructor.batch.record import NOT_GRADED, ClassEntry, ClassOrder, Result


def write_books(order: ClassOrder, results: list[Result | None], roster: str, names: bool) -> None:
    """Writes all files; `results` in the order of the class, None for missing results."""
    out = Path(order.out)
    complete = [
        result or Result("", entry.student, Path(entry.path).name, NOT_GRADED, ["not graded yet"])
        for entry, result in zip(order.entries, results, strict=True)
    ]
    reports = [page_of(order, entry) for entry in order.entries]
    columns = gradebook.Columns.of(Path(order.root), list(order.only))
    lines = read_roster(Path(roster)) if roster else []
    tables = {
        "gradebook.csv": gradebook.gradebook(complete, columns, reports),
        "canvas.csv": gradebook.canvas(complete, columns, lines),
        "moodle.csv": gradebook.moodle(complete, columns, lines),
    }
    summary = summarise(complete, columns)
    texts = {
        "summary.txt": summary_text(summary),
        "index.html": pages.class_page(summary, complete, reports),
        "leaderboard.html": pages.leaderboard(complete, columns, names),
    }
    try:
        for name, rows in tables.items():
            write_csv(out / name, rows)
        for name, text in texts.items():
            write_whole(out / name, text)
        for entry, result in zip(order.entries, results, strict=True):
            if result:
                write_junit(order.folder(entry) / "junit.xml", result)
    except OSError as error:
        raise GraderError(
            f"the gradebook could not be written: {error}. Results are kept."
        ) from error


def page_of(order: ClassOrder, entry: ClassEntry) -> str:
    """The path from OUT to a student's report: the page, or the text if no page exists."""
    folder = order.folder(entry)
    name = "report.html" if (folder / "report.html").is_file() else "report.txt"
    return str((folder / name).relative_to(order.out))


def write_csv(path: Path, rows: list[list[str]]) -> None:
    """Writes CSV; the gradebook with a byte order mark, so that spreadsheets read UTF-8."""
    encoding = "utf-8-sig" if path.name == "gradebook.csv" else "utf-8"
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_whole(path, text.getvalue().encode(encoding))


def read_roster(path: Path) -> list[dict[str, str]]:
    """The rows of Canvas' gradebook export or Moodle's grading worksheet."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"ROSTER={path} cannot be read: {error}.") from error
    known = {"Identifier", "ID"}
    if not rows or not known.intersection(rows[0]):
        raise UsageError(
            f"ROSTER={path} is neither Canvas' gradebook export (a column ID) nor Moodle's grading "
            "worksheet (a column Identifier)."
        )
    return [{key: value or "" for key, value in row.items() if key} for row in rows]
