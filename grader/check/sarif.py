"""build/findings.sarif: the findings of the last command, by line, for editors and pull requests.

SARIF 2.1.0 (OASIS) is the format that editors and build servers read. `make findings` prints
the findings like errors of a compiler, or as the annotations of a GitHub workflow.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.course.results import NO_FAULT, AssignmentResult, PartResult

FILE = Path("build") / "findings.sarif"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
PLACED = re.compile(r"(?P<file>[^\s:][^:\n]*):(?P<line>[1-9]\d*): (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Diagnostic:
    """A cause, at a line of a file."""

    file: str  # relative to the root
    line: int  # from 1
    rule: str  # a verdict: "race"
    level: str  # "error" or "warning"
    text: str


def diagnostics_of(results: Iterable[AssignmentResult]) -> list[Diagnostic]:
    """Each cause once; a failure without a line is reported at line 1 of the file."""
    found: dict[Diagnostic, list[str]] = {}
    for result in results:
        for part in result.parts:
            for warning in part.warnings:
                found.setdefault(placed(part.file, "unused_flags", "warning", warning), [])
            for name, one in failures(part):
                found.setdefault(one, []).append(name)
    return [with_cases(one, names) for one, names in found.items()]


def failures(part: PartResult) -> Iterable[tuple[str, Diagnostic]]:
    """The failed cases by name; hidden cases reveal neither a failure nor a name."""
    seen: dict[str, Diagnostic] = {}
    for case in part.cases:
        if case.verdict in NO_FAULT or not part.file or not case.detail:
            continue
        one = placed(part.file, case.verdict, "error", case.detail)
        yield case.name, seen.setdefault(case.judged.cause or case.detail, one)


def placed(file: str, rule: str, level: str, text: str) -> Diagnostic:
    match = PLACED.match(text)
    if not match:
        return Diagnostic(file, 1, rule, level, text)
    return Diagnostic(match["file"], int(match["line"]), rule, level, match["text"])


def with_cases(one: Diagnostic, names: list[str]) -> Diagnostic:
    if not names:
        return one
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return Diagnostic(
        one.file, one.line, one.rule, one.level, f"{one.text} (case {names[0]}{more})"
    )


def write_sarif(root: Path, diagnostics: list[Diagnostic]) -> Path:
    rules = [{"id": rule} for rule in dict.fromkeys(one.rule for one in diagnostics)]
    driver = {"name": "CUDA Ladder", "rules": rules}
    results = [sarif_result(one) for one in diagnostics]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"uri": root.resolve().as_uri() + "/"}},
        "results": results,
    }
    path = root / FILE
    write_json(path, {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})
    return path


def sarif_result(one: Diagnostic) -> dict:
    artifact = {"uri": quote(one.file)}
    if not one.file.startswith("/"):
        artifact["uriBaseId"] = "ROOT"
    place = {"artifactLocation": artifact, "region": {"startLine": one.line}}
    return {
        "ruleId": one.rule,
        "level": one.level,
        "message": {"text": one.text},
        "locations": [{"physicalLocation": place}],
    }


def read_sarif(root: Path) -> list[Diagnostic]:
    try:
        (run,) = json.loads((root / FILE).read_text())["runs"]
        return [read_result(result) for result in run["results"]]
    except FileNotFoundError:
        raise GraderError(
            "nothing was checked yet: `make check` writes build/findings.sarif."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GraderError(
            f"{FILE} cannot be read ({error}): `make check` writes it again."
        ) from error


def read_result(result: dict) -> Diagnostic:
    place = result["locations"][0]["physicalLocation"]
    file, line = unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"]
    return Diagnostic(file, line, result["ruleId"], result["level"], result["message"]["text"])


def as_compiler(one: Diagnostic) -> str:
    """`saxpy/saxpy.cu:17:1: error: race: …`: a line in the format of g++."""
    text = " ".join(one.text.split())
    return f"{one.file}:{one.line}:1: {one.level}: {one.rule.replace('_', ' ')}: {text}"


def as_annotation(one: Diagnostic) -> str:
    """A workflow command of GitHub: an annotation at the line of a pull request."""
    title = one.rule.replace("_", " ")
    words = f"file={escaped(one.file, True)},line={one.line},title={escaped(title, True)}"
    return f"::{one.level} {words}::{escaped(one.text)}"


def escaped(text: str, in_property: bool = False) -> str:
    """Escapes the characters reserved in a workflow command, and more of them in its properties."""
    signs = {"%": "%25", "\r": "%0D", "\n": "%0A"}
    if in_property:
        signs |= {":": "%3A", ",": "%2C"}
    return "".join(signs.get(letter, letter) for letter in text)
