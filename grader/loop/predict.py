"""`make predict-<name>`: asks the handout's question first, then grades.

A rung's section of README.md asks what the rung will change (**Predict**: …). The answer is kept
with the attempt in build/history.jsonl; the report shows the answer beside the modelled times of
the file and the measured times of the rung.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.text import choose, printable
from grader.check.history import Prediction, read_history
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.thresholds import any_thresholds
from grader.loop.current import current_part

LONGEST = 500  # characters kept of a prediction
NO_QUESTION = "What will this rung change, and by how much?"
TIME = re.compile(r"(\d+(?:[.,]\d+)?)\s*(ns|us|µs|μs|ms|s)\b")
IN_MS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "ms": 1.0, "s": 1e3}


@dataclass(frozen=True)
class Question:
    part: str
    rung: str
    text: str  # Markdown


def next_question(root: Path, assignment: Assignment, part_name: str, rung: str = "") -> Question:
    """The question of `rung`, or of the first rung without a prediction."""
    part = current_part(root, assignment, part_name)
    rungs = rung_names(root, assignment, part)
    if not rungs:
        raise GraderError(f"no rungs of {part.name} are known here.")
    if rung and rung not in rungs:
        raise UsageError(choose("rung", rung, rungs))
    if not rung:
        asked = {
            one.prediction.rung
            for one in read_history(root)
            if one.prediction and (one.assignment, one.part) == (assignment.name, part.name)
        }
        rung = next((name for name in rungs if name not in asked), rungs[-1])
    page = (root / assignment.name / "README.md").read_text()
    return Question(part.name, rung, question_in(page, rung) or NO_QUESTION)


def rung_names(root: Path, assignment: Assignment, part: Part) -> list[str]:
    """The rungs by their files, or by their stored times if the files are not handed out."""
    found = resolve.rungs(root, assignment, part)
    if not found:
        cases = any_thresholds(root, assignment.name).rungs(part.name)
        found = sorted({name for times in cases.values() for name in times})
    return found


def question_in(page: str, rung: str) -> str:
    """The text after **Predict**: in the rung's section, "" if missing."""
    heading = re.search(rf"^#+ .*\b{re.escape(rung)}\b.*$", page, re.M)
    if not heading:
        return ""
    section = re.split(r"^#+ ", page[heading.end() :], maxsplit=1, flags=re.M)[0]
    paragraph = re.search(r"^\*\*Predict\*\*:\s*(.+?)(?:\n\s*\n|\Z)", section, re.M | re.S)
    return paragraph[1].strip() if paragraph else ""


def ask(question: Question, given: str) -> Prediction:
    """The prediction: `given` on the command line, else read from the terminal."""
    text = given
    if not text:
        if not sys.stdin.isatty():
            raise UsageError(
                "predict asks in a terminal; elsewhere say PREDICTION='half the sectors, 0.8 ms'."
            )
        print(" A time (0.8 ms) in your answer will stand beside the model's and the measured one.")
        try:
            text = input(" your prediction: ")
        except EOFError:
            text = ""
    text = printable(" ".join(text.split()))[:LONGEST]
    if not text:
        raise UsageError("a prediction has words: nothing was graded.")
    return Prediction(question.rung, text, time_in(text))


def time_in(text: str) -> float | None:
    """The first time in a text, in milliseconds."""
    found = TIME.search(text)
    return float(found[1].replace(",", ".")) * IN_MS[found[2]] if found else None
