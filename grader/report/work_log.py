"""The work log: for each rung the prediction, the modelled and the measured time."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Group
from rich.text import Text

from grader.base.text import of_text, time_text
from grader.check.history import Attempt, read_history
from grader.course.thresholds import any_thresholds
from grader.terminal.console import plain_table


@dataclass(frozen=True)
class LogEntry:
    """A prediction and the outcome; all times are of the largest case for speed."""

    assignment: str
    part: str
    when: str
    rung: str
    prediction: str
    predicted_ms: float | None
    case: str
    modelled_ms: float | None  # the student's file on the CPU device
    measured_ms: float | None  # the student's file on a GPU
    rung_ms: float | None  # the rung, on the GPU of the stored times
    gpu: str
    points: str


def work_log(root: Path) -> list[LogEntry]:
    """The entries, oldest first."""
    history = read_history(root)
    return [log_entry(root, one, history) for one in history if one.prediction]


def log_entry(root: Path, attempt: Attempt, history: list[Attempt]) -> LogEntry:
    stored = any_thresholds(root, attempt.assignment)
    rungs = stored.rungs(attempt.part)
    case = next((name for name in reversed(rungs) if name in attempt.times_ms), "")
    case = case or next(reversed(attempt.times_ms), "")
    prediction = attempt.prediction
    # The same file may have been graded on the other device too.
    same = [attempt, *(one for one in history if one.sha256 and one.sha256 == attempt.sha256)]
    modelled = [one for one in same if one.model and case in one.times_ms]
    measured = [one for one in same if not one.model and case in one.times_ms]
    return LogEntry(
        attempt.assignment,
        attempt.part,
        attempt.when,
        prediction.rung,
        prediction.text,
        prediction.time_ms,
        case,
        modelled[0].times_ms[case] if modelled else None,
        measured[0].times_ms[case] if measured else None,
        rungs.get(case, {}).get(prediction.rung),
        stored.gpu,
        of_text(attempt.score, attempt.max_score),
    )


def log_table(entries: list[LogEntry]) -> Group:
    """A table for the terminal: the predictions for a part, and the text of the last."""
    table = plain_table()
    for title in (" rung", "predicted", "modelled", "measured"):
        table.add_column(title, justify="left" if title == " rung" else "right", no_wrap=True)
    gpu = entries[-1].gpu.removeprefix("NVIDIA ") or "a GPU"
    table.add_column(f"the rung, {gpu}", justify="right", no_wrap=True)
    for one in entries:
        times = (one.predicted_ms, one.modelled_ms, one.measured_ms, one.rung_ms)
        table.add_row(f" {one.rung}", *[time_text(ms) or "–" for ms in times])
    last = entries[-1]
    words = Text.assemble((" you said  ", "bold"), last.prediction)
    case = Text(f" times of {last.case}", style="dim") if last.case else Text()
    return Group(Text(), words, Text(), table, case)
