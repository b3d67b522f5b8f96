"""Grades a submission from archive to result: reads, copies, builds, grades, records."""

import resource
import shutil
import time
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.files import write_json
from instructor.batch.copies import clean_copy, grade_copy
from instructor.batch.enclose import isolation_of
from instructor.batch.intake.choose import fingerprint, take_in
from instructor.batch.record import (
    GRADED,
    NOT_GRADED,
    REJECTED,
    ClassEntry,
    ClassOrder,
    Result,
    disk_full,
    is_disk_full,
    journal,
    load_result,
    one_line,
)

MAX_PAGE = 64 << 20


def grade_one(order: ClassOrder, entry: ClassEntry) -> Result:
    """Writes result.json and report.txt into the student's folder; errors do not propagate.

    Only a full disk raises GraderError: then nothing can be written at all.
    """
    done = load_result(order, entry)
    if done and done.status != NOT_GRADED:
        return done
    folder = order.folder(entry)
    result = Result(order.key(entry), entry.student, Path(entry.path).name, NOT_GRADED)
    result.submission = one_line(result.submission)
    result.notes = list(entry.notes)
    started, before = time.monotonic(), processor_seconds()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        journal(order, "begin", entry)
        grade_into(result, order, entry, folder)
    except OSError as error:
        if is_disk_full(error):
            raise disk_full(Path(error.filename or folder)) from error
        result.notes.append(f"not graded: {one_line(str(error))}")
    except GraderError as error:
        if "no room left" in str(error):
            raise
        result.notes.append(f"not graded: {one_line(str(error))}")
    result.seconds = round(time.monotonic() - started, 2)
    result.cpu_seconds = round(processor_seconds() - before, 2)
    try:
        write_json(folder / "result.json", vars(result))
        journal(order, "end", entry)
    except OSError as error:
        raise disk_full(folder) if is_disk_full(error) else error from error
    return result


def processor_seconds() -> float:
    """The processor time of the process and of all children that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def grade_into(result: Result, order: ClassOrder, entry: ClassEntry, folder: Path) -> None:
    taken = take_in(Path(order.root), Path(entry.path), order.only)
    result.notes += taken.notes
    result.nickname = taken.nickname
    report = folder / "report.txt"
    if taken.refused:
        result.status = REJECTED
        result.notes.append(f"rejected: {taken.refused}")
        report.write_text(f"{entry.student}\n\n" + "\n".join(result.notes) + "\n")
        return
    result.fingerprints = {place: fingerprint(data) for place, data in taken.files.items()}
    with clean_copy(order) as copy:
        result.results = grade_copy(order, copy, taken.files, entry.student)
        lines = [entry.student, *(f"note: {note}" for note in result.notes)]
        shown = (copy / "build" / "report.txt").read_text(errors="replace")
        report.write_text("\n".join(lines) + "\n" + shown)
        keep_page(copy, folder)
    result.results["isolation"] = isolation_of(result.results)
    result.status = GRADED


def keep_page(copy: Path, folder: Path) -> None:
    """Keeps the report's page and pictures, which the student's program may have changed."""
    page = copy / "build" / "report.html"
    if page.is_file() and not page.is_symlink() and page.stat().st_size < MAX_PAGE:
        shutil.copyfile(page, folder / "report.html")
