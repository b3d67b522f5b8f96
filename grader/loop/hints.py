"""`make hint-<name>`: shows the next hint of hints.md each time.

hints.md has a section `## <part>` per part, with subsections `### 1`, `### 2`, … The number of
hints already shown is kept in build/hints.json; after `make clean` the first hint comes next.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.files import write_json
from grader.course.declare import Assignment
from grader.loop.current import current_part

SHOWN = Path("build") / "hints.json"


@dataclass(frozen=True)
class Hint:
    part: str
    number: int  # from 1
    last: int  # the number of the part's last hint
    text: str  # Markdown

    @property
    def title(self) -> str:
        return f"{self.part}, hint {self.number} of {self.last}"


def read_hints(path: Path) -> dict[str, list[str]]:
    """The hints of each part, in order."""
    try:
        text = path.read_text()
    except OSError as error:
        raise GraderError(f"{path.name} cannot be read: {error.strerror}.") from error
    sections = re.split(r"^## +(\S+) *$", text, flags=re.MULTILINE)
    found = {}
    for part, section in zip(sections[1::2], sections[2::2], strict=True):
        hints = re.split(r"^### +\d+.*$", section, flags=re.MULTILINE)[1:]
        found[part] = [hint.strip() for hint in hints]
    return found


def next_hint(root: Path, assignment: Assignment, part_name: str, number: str = "") -> Hint:
    """The first hint not yet shown, or the last; with `number` a hint shown before."""
    part = current_part(root, assignment, part_name).name
    hints = read_hints(root / assignment.name / "hints.md").get(part, [])
    if not hints:
        raise GraderError(f"{assignment.name}/hints.md has no hints for {part}.")
    shown = read_shown(root)
    key = f"{assignment.name}/{part}"
    seen = min(shown.get(key, 0), len(hints))
    if number:
        if not number.isdigit() or not 1 <= int(number) <= seen:
            known = f"from 1 to {seen}" if seen else "none yet"
            raise UsageError(f"HINT={number}: you have seen {known}; without HINT= comes the next.")
        return Hint(part, int(number), len(hints), hints[int(number) - 1])
    seen = min(seen + 1, len(hints))
    write_shown(root, shown | {key: seen})
    return Hint(part, seen, len(hints), hints[seen - 1])


def read_shown(root: Path) -> dict[str, int]:
    with suppress(OSError, ValueError):
        kept = json.loads((root / SHOWN).read_text())
        if isinstance(kept, dict):
            return {key: n for key, n in kept.items() if type(n) is int and n >= 0}
    return {}


def write_shown(root: Path, shown: dict[str, int]) -> None:
    write_json(root / SHOWN, shown)
