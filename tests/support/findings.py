"""What the comments of a program say about the expected findings of sanitize mode.

// finding: race @a @b    the kind, the line with `// @a` at the end, and for a race the other line
"""

from __future__ import annotations

import re

FOUND = 86  # the exit status of a program with findings

Finding = tuple[str, frozenset[int]]


def tagged_lines(text: str) -> dict[str, int]:
    """The numbers of the lines with a tag at the end, like `// @a`."""
    return {
        tag: number
        for number, line in enumerate(text.splitlines(), start=1)
        for tag in re.findall(r"// (@\w+)$", line)
    }


def expected_findings(text: str, lines: dict[str, int]) -> list[Finding]:
    """The findings in the comments of `text`; `lines` has the line of each tag."""
    found = []
    for note in re.findall(r"^// finding: (.*)$", text, re.MULTILINE):
        kind, *tags = note.split()
        found.append((kind, frozenset(lines[tag] for tag in tags)))
    return sorted(found, key=str)


def as_finding(entry: dict[str, object], with_lines: bool = True) -> Finding:
    """A finding from a line of JSON."""
    lines = {entry["line"], entry["other_line"]} - {None} if with_lines else set()
    return str(entry["kind"]), frozenset(int(str(line)) for line in lines)


def reported_findings(entries: list[dict[str, object]], stated: list[Finding]) -> list[Finding]:
    """The reported findings; without lines where no stated finding of the kind has lines."""
    got = []
    for entry in entries:
        of_kind = [lines for kind, lines in stated if kind == entry["kind"]]
        got.append(as_finding(entry, with_lines=any(of_kind)))
    return sorted(got, key=str)
