"""`make report`: the last results and all that is known about them, into build/report/."""

from __future__ import annotations

from pathlib import Path

from grader.base.files import write_whole
from grader.base.screen import Screen
from grader.course.results import read_results
from grader.report.collect import collect
from grader.report.page import render_report

PAGE = Path("build") / "report" / "index.html"


def write_report(root: Path, screen: Screen) -> Path:
    results = read_results(root)
    page = render_report(results, collect(root, results, screen))
    path = root / PAGE
    write_whole(path, page)
    return path
