"""`make report`: the last results and all that is known about them, into build/report/."""

from __future__ import annotations

from pathlib import Path

from grader.files import write_whole
from grader.report.collect import collect
from grader.report.page import render_report
from grader.results import read_results
from grader.screen import Screen

PAGE = Path("build") / "report" / "index.html"


def write_report(root: Path, screen: Screen) -> Path:
    results = read_results(root)
    page = render_report(results, collect(root, results, screen))
    path = root / PAGE
    write_whole(path, page)
    return path
