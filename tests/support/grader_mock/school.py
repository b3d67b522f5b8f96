"""A class of mock submissions: the mock repository, submissions, and the results."""

from __future__ import annotations

import csv
import json
import subprocess
from collections import Counter
from pathlib import Path

from grader_mock.house import Checked, House, source

BEHAVIOURS = ["fine", "wrong", "crash", "exit0", "short", "abort", "fine", "garbage"]
TIMEOUT_S = 300


class School:
    """A house of mock assignments and a folder of submissions."""

    def __init__(self, root: Path):
        self.house = House(root / "course")
        self.submissions, self.out = root / "in", root / "out"
        self.submissions.mkdir()

    def hand_in(
        self, student: str, behave: str = "fine", time_ms: float = 2.0, **more: str
    ) -> Path:
        """Adds a submission as a folder; nickname_txt="…" adds the file nickname.txt."""
        folder = self.submissions / student
        self.house.write(str(folder / "twice" / "twice.cu"), source("twice", behave, time_ms))
        for name, text in more.items():
            (folder / name.replace("_", ".")).write_text(text)
        return folder

    def several(self, count: int) -> None:
        for index in range(count):
            self.hand_in(f"student {index:02}", BEHAVIOURS[index % len(BEHAVIOURS)])

    def words(self, **options: object) -> list[str]:
        given = {"submissions": self.submissions, "out": self.out, "device": "cpu", "seed": 7}
        words = [f"--{name.replace('_', '-')}={value}" for name, value in (given | options).items()]
        return ["grade-class", "twice", *words]

    def grade(self, *, environment: dict[str, str] | None = None, **options: object) -> Checked:
        """Runs the whole command; `options` as slurm_options="…" for --slurm-options=…"""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        words = self.words(**options)
        with self.house.start(*words, environment=environment, **pipes) as process:
            try:
                shown, errors = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return Checked(process.returncode, shown, errors, {})

    def start(
        self, *, environment: dict[str, str] | None = None, **options: object
    ) -> subprocess.Popen:
        """Starts the command in the background, to be interrupted; the output goes into a file."""
        with self.out.with_suffix(".log").open("w") as log:
            return self.house.start(
                *self.words(**options), environment=environment, stdout=log, stderr=log
            )

    def rows(self, name: str = "gradebook.csv", out: Path | None = None) -> list[dict[str, str]]:
        with ((out or self.out) / name).open(newline="", encoding="utf-8-sig") as file:
            return list(csv.DictReader(file))

    def events(self, event: str) -> Counter[str]:
        """How often each submission was begun, or ended."""
        lines = (self.out / "state" / "journal.jsonl").read_text().splitlines()
        return Counter(one["slug"] for one in map(json.loads, lines) if one["event"] == event)

    def results(self) -> list[Path]:
        return sorted(self.out.glob("students/*/result.json"))
