"""The program that setup.sh and run_autograder start inside Gradescope's container.

    python -m instructor.gradescope.run prepare     once, when the image is made
    python -m instructor.gradescope.run grade       for each submission

All paths are below /autograder, or below the folder that AUTOGRADER names.
"""

import json
import os
import sys
import time
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.base.processes import adopt_orphans
from instructor.batch.copies import clean_copy, grade_copy
from instructor.batch.course import prepare
from instructor.batch.enclose import HOME, isolation_of
from instructor.batch.intake.choose import take_in
from instructor.batch.record import ClassOrder, one_line
from instructor.gradescope.results import gradescope_results

BASE = Path(os.environ.get("AUTOGRADER", "/autograder"))
OPTIONS = "gradescope.json"  # the instructor's options, beside the course's Makefile


def order() -> ClassOrder:
    options = json.loads((HOME / OPTIONS).read_text())
    return ClassOrder(
        root=str(HOME),
        out=str(BASE / "class"),
        device=options["device"],
        only=tuple(options["only"]),
        model=options["model"],
        course="gradescope",
    )


def grade() -> dict:
    started = time.monotonic()
    asked = order()
    taken = take_in(HOME, BASE / "submission", asked.only)
    if taken.refused:
        sentence = f"Nothing was graded: the submission {taken.refused}."
        return gradescope_results({}, taken.notes, "", sentence, time.monotonic() - started)
    with clean_copy(asked) as copy:
        results = grade_copy(asked, copy, taken.files)
        report = (copy / "build" / "report.txt").read_text(errors="replace")
    results["isolation"] = isolation_of(results)
    seconds = time.monotonic() - started
    return gradescope_results(results, taken.notes, taken.nickname, report, seconds)


def main(arguments: list[str]) -> int:
    adopt_orphans()
    try:
        if arguments == ["prepare"]:
            prepare(order())
        elif arguments == ["grade"]:
            write_json(BASE / "results" / "results.json", grade())
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except GraderError as error:
        # Without results.json Gradescope reports that the autograder failed, and no student gets a
        # 0.
        print(f"grader: {one_line(str(error), 1000)}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
