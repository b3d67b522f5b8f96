"""A student's result as JUnit XML, which build servers show as tests."""

import re
from pathlib import Path
from xml.etree import ElementTree

from grader.course.results import NO_FAULT
from instructor.batch.record import GRADED, Result

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Removes the characters that XML cannot express."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def write_junit(path: Path, result: Result) -> None:
    """A suite per part and a test per case; an ungraded submission is a single test in error."""
    suites = ElementTree.Element("testsuites", name=clean(result.student))
    if result.status != GRADED:
        suite = add_suite(suites, "submission", 1, 0, 1)
        case = ElementTree.SubElement(suite, "testcase", name="submission", classname="submission")
        message = clean("; ".join(result.notes))
        ElementTree.SubElement(case, "error", message=message, type=result.status)
    for assignment in result.results.get("assignments", []):
        for part in assignment["parts"]:
            add_part(suites, assignment["name"], part)
    ElementTree.indent(suites)
    text = ElementTree.tostring(suites, encoding="unicode", xml_declaration=False)
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")


def add_suite(
    suites: ElementTree.Element, name: str, tests: int, failures: int, errors: int
) -> ElementTree.Element:
    numbers = {"tests": tests, "failures": failures, "errors": errors}
    words = {name: str(number) for name, number in numbers.items()}
    return ElementTree.SubElement(suites, "testsuite", name=name, **words)


def add_part(suites: ElementTree.Element, assignment: str, part: dict) -> None:
    cases = part["cases"]
    failures = sum(case["verdict"] not in NO_FAULT for case in cases)
    name = f"{assignment}.{part['name']}"
    suite = add_suite(suites, name, len(cases), failures, 0)
    for case in cases:
        words = {"name": clean(case["name"]), "classname": name}
        if case["time_ms"] is not None:
            words["time"] = f"{case['time_ms'] / 1e3:.9f}"
        added = ElementTree.SubElement(suite, "testcase", **words)
        if case["verdict"] in ("skipped", "too_noisy"):
            ElementTree.SubElement(added, "skipped", message=clean(case["detail"]))
        elif case["verdict"] != "ok":
            detail = clean(case["detail"])
            ElementTree.SubElement(added, "failure", message=detail, type=case["verdict"])
