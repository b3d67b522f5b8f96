"""The class summary and the leaderboard as self-contained HTML: no script, no network.

The templates escape all text that comes from a submission (names, nicknames, verdicts).
"""

from math import prod
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.base.text import points_text
from instructor.batch.books.gradebook import Columns, parts_of, verdicts
from instructor.batch.books.summary import BINS, Summary, speed_ratio
from instructor.batch.record import GRADED, Result

TEMPLATES = Path(__file__).with_name("templates")
ANONYMOUS = "anonymous"


def render(template: str, **words: object) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(points=points_text, **words)


def class_page(summary: Summary, results: list[Result], reports: list[str]) -> str:
    rows = [
        {
            "student": result.student,
            "status": result.status,
            "score": result.score,
            "said": "; ".join(
                f"{name}: {words}"
                for name, part in parts_of(result).items()
                if (words := verdicts(part))
            ),
            "notes": "; ".join(result.notes),
            "report": report,
        }
        for result, report in zip(results, reports, strict=True)
    ]
    return render("class.html.j2", summary=summary, rows=rows, bins=BINS)


def leaderboard(results: list[Result], columns: Columns, names: bool) -> str:
    """Sorted by points, then by speed. A nickname is the student's own choice; names are optional.

    A student without a nickname stays anonymous.
    """
    rows = []
    for result in results:
        if result.status != GRADED:
            continue
        parts = parts_of(result)
        ratios = {part: speed_ratio(parts[part]) for _, part in columns.parts if part in parts}
        known = [ratio for ratio in ratios.values() if ratio is not None]
        mean = prod(known) ** (1 / len(known)) if known else float("inf")
        who = result.nickname or (result.student if names else ANONYMOUS)
        stars = {
            part: "★" * len(parts[part]["stars"]) for _, part in columns.parts if part in parts
        }
        rows.append(((-(result.score or 0.0), mean), who, result.score or 0.0, ratios, stars))
    rows.sort(key=lambda row: (row[0], row[1]))
    ranked = []
    for index, (place, who, score, ratios, stars) in enumerate(rows):
        tied = index > 0 and rows[index - 1][0] == place
        rank = ranked[-1]["rank"] if tied else index + 1
        row = {"rank": rank, "who": who, "score": score, "ratios": ratios, "stars": stars}
        ranked.append(row)
    return render("leaderboard.html.j2", rows=ranked, parts=[part for _, part in columns.parts])
