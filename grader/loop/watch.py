"""`make watch-<name>`: checks again after each save of a student's file.

Only parts with a changed file are graded. In a terminal a complete new page is drawn over the old
page: during a check only the progress line below the page moves.
"""

import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.base.text import of_text, points_text
from grader.check.history import Attempt, read_history
from grader.course.declare import Assignment, Part
from grader.terminal.console import emit

POLL_S = 0.1
# Editors save in steps: truncate and write, or write another file and rename. A save is complete
# after CALM_S without a change; a missing file has GONE_S to come back.
CALM_S = 0.2
GONE_S = 2.0
HOME, CLEAR_LINE, CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"

Stamps = dict[str, tuple[int, int, int]]


def stamps(root: Path, assignment: Assignment) -> Stamps:
    """By file name: time of change, size and identity of the sources of all parts."""
    found = {}
    for path in (root / assignment.name).iterdir():
        if path.suffix in (".cu", ".cuh", ".h"):
            try:
                status = path.stat()
            except OSError:  # an editor is replacing the file
                continue
            found[path.name] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def changed_parts(
    assignment: Assignment,
    before: Stamps,
    after: Stamps,
) -> list[Part]:
    """The parts to grade again: parts with a changed file, or all parts if a header changed."""
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    own = {f"{part.name}.cu": part for part in assignment.parts}
    if any(not name.endswith(".cu") for name in changed):
        return assignment.parts
    return [part for name, part in own.items() if name in changed]


def saves(root: Path, assignment: Assignment) -> Iterator[list[Part]]:
    """Yields all parts first, then the parts to grade after each save; never ends."""
    before = stamps(root, assignment)
    yield assignment.parts
    while True:
        time.sleep(POLL_S)
        if stamps(root, assignment) == before:
            continue
        after = settled(root, assignment, before)
        parts = changed_parts(assignment, before, after)
        before = after
        if parts:
            yield parts


def settled(root: Path, assignment: Assignment, before: Stamps) -> Stamps:
    """The stamps once the editor has finished."""
    began = time.monotonic()
    seen, since = stamps(root, assignment), began
    while True:
        time.sleep(CALM_S / 4)
        now = stamps(root, assignment)
        if now != seen:
            seen, since = now, time.monotonic()
        complete = before.keys() <= now.keys() or time.monotonic() > began + GONE_S
        if complete and time.monotonic() > since + CALM_S:
            return now


def last_attempts(root: Path, assignment: Assignment) -> dict[str, Attempt]:
    return {a.part: a for a in read_history(root) if a.assignment == assignment.name}


def difference(before: Attempt | None, after: Attempt | None) -> Text:
    """`transpose  +12.4 points, 3.1× as fast as before`."""
    if after is None or before is None or not before.is_beside(after):
        return Text()
    words = []
    gained = round(after.score - before.score, 2)
    if gained:
        words.append(f"{'+' if gained > 0 else '−'}{points_text(abs(gained))} points")
    if before.slowdown and after.slowdown:
        ratio = before.slowdown / after.slowdown
        if ratio > 1.02:
            words.append(f"{ratio:.2f}× as fast as before")
        elif ratio < 0.98:
            words.append(f"{1 / ratio:.2f}× the time of before")
    if after.right != before.right:
        words.append(f"right in {after.right} cases, before in {before.right}")
    style = "green" if gained > 0 else "red" if gained < 0 else "dim"
    line = Text(f" {after.part}  ", style="bold")
    return line.append(", ".join(words) or "as before", style=style)


def fitting(lines: list[str], height: int) -> list[str]:
    """The lines that the window has room for: the end of a long text; two lines stay free."""
    room = max(height - 2, 1)
    if len(lines) <= room:
        return lines
    above = len(lines) - room + 1
    return [f" … {above} lines above: a taller window shows them, or PART= fewer", *lines[above:]]


class Page:
    """The page between two checks: made off screen, then drawn at once over the old page."""

    def __init__(self, console: Console):
        self.console = console
        self.still = console.is_terminal and not console.is_dumb_terminal
        self.tables = console
        if self.still:
            console.clear()

    def begin(self) -> None:
        if self.still:
            self.tables = Console(
                file=io.StringIO(),
                force_terminal=True,
                color_system=self.console.color_system,
                no_color=self.console.no_color,
                width=self.console.width,
                highlight=False,
                markup=False,
            )

    def draw(self) -> None:
        if not self.still:
            return
        lines = fitting(self.tables.file.getvalue().splitlines(), self.console.height)
        drawn = "".join(f"{line}{CLEAR_LINE}\n" for line in lines)
        self.console.file.write(HOME + drawn + CLEAR_REST)
        self.console.file.flush()


def watch(
    root: Path,
    assignment: Assignment,
    only: str,
    check: Callable[[str, Console], None],
    console: Console,
) -> None:
    """Runs until Ctrl-C; `only` is a part's name, or "" for all.

    `check` grades a part, or all for "", and shows the results on the given console.
    """
    page = Page(console)
    for saved in saves(root, assignment):
        parts = [part for part in saved if only in ("", part.name)]
        if not parts:
            continue
        before = last_attempts(root, assignment)
        page.begin()
        together = [""] if parts == assignment.parts else [part.name for part in parts]
        for name in together:
            check(name, page.tables)
        show_outcome(page.tables, assignment, parts, before, last_attempts(root, assignment))
        page.draw()


def show_outcome(
    console: Console,
    assignment: Assignment,
    parts: list[Part],
    before: dict[str, Attempt],
    after: dict[str, Attempt],
) -> None:
    """Prints the changes in the checked parts, and the last results of all other parts."""
    emit(console, Text())
    for part in assignment.parts:
        last = after.get(part.name)
        if part in parts and before.get(part.name) != last:
            line = difference(before.get(part.name), last)
            if line:
                emit(console, line)
        elif part not in parts and last:
            score = of_text(last.score, last.max_score)
            emit(console, Text(f" {part.name}  {score}, as it was", style="dim"))
    emit(console, Text(f" watching {assignment.name}/ for saves; Ctrl-C ends", style="dim"))
