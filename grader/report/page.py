"""Renders the pages: a common design and content policy, all content of a submission escaped.

A page loads nothing and runs nothing: the policy allows images inside the file and a style sheet
named by a hash. Attributes `style` are therefore not allowed either.
"""

import base64
import functools
import hashlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import jinja2
from markupsafe import Markup

from cpudevice.model.model import LIMITS
from cpudevice.model.roofline import roofline
from grader.base.text import count_text, digits, of_text, points_text, printable, time_text
from grader.check.history import Attempt, on_last_device
from grader.course.results import stars_text, withheld_text
from grader.explain import pictures
from grader.explain.explain import Explained
from grader.explain.listing import facts, listed, terms
from grader.explain.sass.collect import SourceLine
from grader.explain.sass.disassembly import Instruction
from grader.explain.sass.memory import Move, move_of
from grader.explain.terminal import SHOWN_US
from grader.explain.timeline import has_timeline, lanes_of, shown_kernels
from grader.report.glossary import COLUMNS, EXPLAIN_NAMES, SASS_NAMES, explained_terms, linked
from grader.report.material import Material, Picture
from grader.terminal.console import MARKS
from grader.timing.diagnose import Slowdown

FOLDER = Path(__file__).with_name("templates")
SHOWN, WORTH_A_LOOK = 2, 0.01  # causes shown, and the least share of the time for a cause
SHOWN_ATTEMPTS = 60  # the last attempts
LANES_STYLE = f"<style>{pictures.STYLE}</style>"


def render_report(results: dict, material: Material | None = None, title: str = "") -> str:
    """The page of a build/results.json with the given title. The same input, the same bytes.

    `results` may hold anything from a submission: names and messages are escaped.
    """
    return render("report.html.j2", results=results, material=material or Material(), title=title)


def render(template: str, **values: object) -> str:
    return environment().get_template(template).render(**values)


@functools.cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=clean,
    )
    style = (FOLDER / "style.css").read_text()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    made.globals |= {
        "style": Markup(style),
        "style_hash": digest,
        "limits": LIMITS,
        "shown_us": SHOWN_US,
        "facts": facts,
        "listed": listed,
        "terms": terms,
        "linked": linked,
        "counter_columns": COLUMNS,
        "explained_terms": explained_terms,
        "explain_names": EXPLAIN_NAMES,
        "sass_names": SASS_NAMES,
        "roofline": roofline,
        "lanes_picture": lanes_picture,
        "has_timeline": has_timeline,
        "lanes_of": lanes_of,
        "shown_kernels": shown_kernels,
        "png_address": png_address,
        "by_part": by_part,
        "roofline_svg": drawn("roofline_svg"),
        "history_svg": drawn("history_svg"),
        "verdict_mark": lambda verdict: MARKS.get(verdict, "✗"),
        "side_by_side": side_by_side,
        "slug": slug,
        "split_slowdowns": split_slowdowns,
        "stars_text": stars_text,
        "withheld_text": withheld_text,
    }
    for function in (without_file, time_text, digits, of_text, points_text, count_text):
        made.filters[function.__name__] = function
    return made


def clean(value: object) -> object:
    """Removes control characters, and characters that change the direction of writing."""
    return printable(value) if type(value) is str else value


def drawn(name: str):
    """A function of plots.py, which is imported at the first call."""

    def draw(*arguments: object) -> Markup:
        from grader.report import plots

        return Markup(getattr(plots, name)(*arguments))

    return draw


def split_slowdowns(one: Explained) -> tuple[list[Slowdown], list[Slowdown]]:
    """The costliest causes, and the rest, which the page folds away."""
    worth = [f for f in one.slowdowns if f.lost_us > WORTH_A_LOOK * one.estimate.time_us][:SHOWN]
    return worth, [slowdown for slowdown in one.slowdowns if slowdown not in worth]


def side_by_side(
    line: SourceLine,
) -> Iterator[tuple[Instruction | None, Instruction | None, Move | None]]:
    """A line's PTX and SASS in rows, with the access of each SASS instruction."""
    for ptx, sass in itertools.zip_longest(line.ptx, line.sass):
        yield ptx, sass, move_of(sass) if sass else None


def lanes_picture(slowdown: Slowdown) -> Markup:
    """A warp's addresses, in the page's colours."""
    return Markup(pictures.slowdown_picture(slowdown).replace(LANES_STYLE, ""))


def without_file(detail: str) -> str:
    """A message without the note of the picture under build/: the page shows the picture."""
    return re.sub(r" \(see build/pictures/\S+\)$", "", detail)


def png_address(one: Picture) -> str:
    return "data:image/png;base64," + base64.b64encode(one.png).decode()


def slug(*words: str) -> str:
    """An id or the end of a link: letters, digits and hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(words)).strip("-").lower()


def by_part(history: list[Attempt]) -> list[list[Attempt]]:
    """The last attempts at each part, on the device of the newest attempt, in order."""
    found: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in history:
        found.setdefault((attempt.assignment, attempt.part), []).append(attempt)
    return [on_last_device(attempts)[-SHOWN_ATTEMPTS:] for attempts in found.values()]
