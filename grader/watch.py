"""`make watch-<name>`: checks again whenever one of the student's files is saved.

Only the part whose file changed is graded. The screen is redrawn in place; below the table stand
the difference to the run before and the next rung to try.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.declare import Assignment, Part
from grader.history import Attempt, read_history
from grader.text import points_text

POLL_S = 0.2


def stamps(root: Path, assignment: Assignment) -> dict[str, tuple[int, int]]:
    """Time of change and size of what each part is made from, by file name."""
    found = {}
    for path in (root / assignment.name).iterdir():
        if path.suffix in (".cu", ".cuh", ".h"):
            try:
                status = path.stat()
            except OSError:  # an editor is just replacing it
                continue
            found[path.name] = (status.st_mtime_ns, status.st_size)
    return found


def changed_parts(
    assignment: Assignment,
    before: dict[str, tuple[int, int]],
    after: dict[str, tuple[int, int]],
) -> list[Part]:
    """The parts to grade again: those whose file changed, and all if a header did."""
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    own = {f"{part.name}.cu": part for part in assignment.parts}
    if any(not name.endswith(".cu") for name in changed):
        return assignment.parts
    return [part for name, part in own.items() if name in changed]


def saves(root: Path, assignment: Assignment) -> Iterator[list[Part]]:
    """All parts at first, then those that each save concerns; never ends."""
    before = stamps(root, assignment)
    yield assignment.parts
    while True:
        time.sleep(POLL_S)
        after = stamps(root, assignment)
        parts = changed_parts(assignment, before, after)
        before = after
        if parts:
            yield parts


def last_attempts(root: Path, assignment: Assignment) -> dict[str, Attempt]:
    return {a.part: a for a in read_history(root) if a.assignment == assignment.name}


def difference(before: Attempt | None, after: Attempt | None) -> Text:
    """`transpose  +12.4 points, 3.1× as fast as before`."""
    if after is None or before is None or before.device != after.device:
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


def watch(
    root: Path,
    assignment: Assignment,
    only: str,
    check: Callable[[Part], None],
    console: Console,
) -> None:
    """Runs until Ctrl-C. `only`: a part's name, or "" for all. `check` grades and shows a part."""
    for saved in saves(root, assignment):
        parts = [part for part in saved if only in ("", part.name)]
        before = last_attempts(root, assignment)
        if console.is_terminal:
            console.clear()
        for part in parts:
            check(part)
        after = last_attempts(root, assignment)
        for part in parts:
            if before.get(part.name) != after.get(part.name):
                console.print(difference(before.get(part.name), after.get(part.name)))
        console.print(Text(f" watching {assignment.name}/; Ctrl-C ends", style="dim"))
