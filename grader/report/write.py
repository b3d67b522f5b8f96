"""Writes the pages: build/report/, build/explain/ and build/sass/.

`make report`, `make explain-<name>` and `make sass-<name>` are the commands.
"""

from pathlib import Path

from grader.base.files import write_whole
from grader.base.progress import Screen
from grader.check.graded import everything
from grader.course.load import load_assignments
from grader.course.results import read_results
from grader.explain.explain import Explained
from grader.explain.pictures import slowdown_picture
from grader.explain.sass.collect import FileSass
from grader.report.collect import collect
from grader.report.page import render, render_report

PAGE = Path("build") / "report" / "index.html"


def write_report(root: Path, screen: Screen) -> Path:
    results = everything(root, read_results(root), load_assignments(root, []))
    page = render_report(results, collect(root, results, screen))
    path = root / PAGE
    write_whole(path, page)
    return path


def write_pages(root: Path, name: str, explained: list[Explained]) -> list[Path]:
    """build/explain/<name>.html, and an SVG file per pictured line in build/explain/<name>/."""
    folder = root / "build" / "explain"
    (folder / name).mkdir(parents=True, exist_ok=True)
    for old in (folder / name).glob("*.svg"):
        old.unlink()
    page = folder / f"{name}.html"
    page.write_text(explain_page(name, explained))
    for one in explained:
        for slowdown in one.slowdowns:
            svg = slowdown_picture(slowdown)
            if svg:
                stem = f"{one.part.name}-{slowdown.line.line}-{slowdown.line.access}"
                (folder / name / f"{stem}.svg").write_text(svg)
    return [page]


def write_sass_page(root: Path, name: str, files: list[FileSass]) -> Path:
    """build/sass/<name>.html."""
    page = root / "build" / "sass" / f"{name}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(sass_page(name, files))
    return page


def sass_page(name: str, files: list[FileSass]) -> str:
    return render("sass.html.j2", name=name, files=files)


def explain_page(name: str, explained: list[Explained]) -> str:
    return render("explain.html.j2", name=name, explained=explained)
