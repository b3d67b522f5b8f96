"""How the results of a run under sanitize are used, and which runs are cached."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.run import sanitized
from grader.run.sanitized import (
    KINDS,
    Finding,
    SanitizeJob,
    SanitizeRun,
    as_findings,
    cached,
    last_words,
)
from grader.terminal.table import VERDICT_WIDTH, verdict_text

RACE = {"kind": "race", "sentence": "two threads", "file": "a.cu", "line": 3, "count": 1}
FOUND = Finding("race", "two threads", "a.cu", 3, "b.cu", 4, "kernel", (1, 0, 0), "1-2", 5)


@pytest.mark.parametrize(
    ("run", "remembered"),
    [
        (SanitizeRun(), True),
        (SanitizeRun((FOUND,)), True),
        (SanitizeRun(wrong="index 0"), True),
        (SanitizeRun(timed_out=True, unfinished="no answer within 8 s"), False),
        # The cause of the end is known, but a race may have been found before time was up.
        (SanitizeRun((FOUND,), timed_out=True), False),
        (SanitizeRun(unfinished="the program was killed"), False),
        # What names places may have failed.
        (SanitizeRun((FOUND, replace(FOUND, file="", line=0))), False),
    ],
)
def test_a_run_is_remembered_with_all_that_decides_it_or_not_at_all(
    tmp_path, monkeypatch, run, remembered
):
    for name in ("program", "judge"):
        (tmp_path / name).write_text(name)
    runs = []
    monkeypatch.setattr(sanitized, "run_sanitized", lambda *_: runs.append(1) or run)
    job = SanitizeJob(tmp_path / "program", "--n 1", tmp_path / "judge", "part")
    for _ in range(2):
        assert cached(Path(tmp_path), tmp_path, job, 1.0) == run
    assert len(runs) == (1 if remembered else 2)


@pytest.mark.parametrize("line", ["", "null", "{}", '{"kind": 5}', "[" * 100_000, "{" * 5])
def test_a_line_that_is_no_finding_makes_all_of_them_doubtful(line):
    assert [f.kind for f in as_findings([json.dumps(RACE)])] == ["race"]
    assert as_findings([json.dumps(RACE), line]) is None


def test_what_was_told_once_stays_told():
    leak = as_findings([json.dumps(RACE | {"kind": "leak"})])
    early = as_findings([json.dumps(RACE)])
    late = as_findings([json.dumps(RACE | {"count": 9, "sentence": "three threads"})])
    assert [f.count for f in last_words([early, late])] == [9]
    assert [f.kind for f in last_words([early, leak])] == ["race", "leak"]
    assert [f.kind for f in last_words([early, []])] == ["race"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_verdict_fits_its_column(kind: str) -> None:
    assert verdict_text(kind).cell_len <= VERDICT_WIDTH
