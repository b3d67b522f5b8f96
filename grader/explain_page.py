"""An explained case as one self-contained HTML page, and its pictures as files of their own."""

from __future__ import annotations

from pathlib import Path

import jinja2

from cpudevice.model.model import LIMITS
from grader import pictures
from grader.diagnose import Finding
from grader.explain import Explained
from grader.explain_terminal import SHOWN_US
from grader.listing import facts, listed, terms
from grader.text import time_text

TEMPLATE = Path(__file__).with_name("explain.html.j2")


def write_pages(root: Path, name: str, explained: list[Explained]) -> list[Path]:
    """build/explain/<name>.html, and an SVG file per pictured line in build/explain/<name>/."""
    folder = root / "build" / "explain"
    (folder / name).mkdir(parents=True, exist_ok=True)
    for old in (folder / name).glob("*.svg"):
        old.unlink()
    page = folder / f"{name}.html"
    page.write_text(render(name, explained))
    for one in explained:
        for finding in one.findings:
            svg = picture(finding)
            if svg:
                stem = f"{one.part.name}-{finding.line.line}-{finding.line.access}"
                (folder / name / f"{stem}.svg").write_text(svg)
    return [page]


def picture(finding: Finding) -> str:
    """The SVG of the request that shows a finding, "" where there is nothing to show."""
    line = finding.line
    if line is None or line.example is None or not any(o is not None for o in line.example.offsets):
        return ""
    if line.space == "shared":
        return pictures.banks_picture(line.example, line.is_store)
    if line.space in ("global", "local"):
        return pictures.sectors_picture(line.example, line.is_store)
    return ""


def render(name: str, explained: list[Explained]) -> str:
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    template = environment.from_string(TEMPLATE.read_text())
    return template.render(
        name=name,
        explained=explained,
        limits=LIMITS,
        facts=facts,
        listed=listed,
        terms=terms,
        time_text=time_text,
        shown_us=SHOWN_US,
        picture=lambda finding: jinja2.utils.markupsafe.Markup(picture(finding)),
    )
