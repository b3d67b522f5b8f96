"""Points without work, and honest files in odd dress.

Every file of tests/gallery/cheats/ is one way to get points without the work; line 1 states the
verdict, line 2 the attempt. Files of cheats_that_pass/ get through, which docs/grading.md admits.
Every file of honest/ does the work in an unusual way and must not suffer. On the CPU device;
`make test-all DEVICE=gpu` does the same on the GPU, and `make gallery` prints a table of all files.
"""

from __future__ import annotations

import os

import pytest
from gallery import ROOT, Example, gallery
from gallery_check import build_examples, cheat_outcome, honest_outcome, speed_complaint
from tiers import chosen, sampled

from grader.base.device import Device, choose_device
from grader.course.results import CaseResult, PartResult, Times

CHEATS, PASSING, HONEST = gallery("cheats"), gallery("cheats_that_pass"), gallery("honest")


@pytest.fixture(scope="session")
def device() -> Device:
    return choose_device(os.environ.get("DEVICE", "cpu"))


@pytest.fixture(scope="module", autouse=True)
def programs(request: pytest.FixtureRequest, device: Device) -> None:
    """Builds the programs of the chosen tests."""
    build_examples(chosen(request), device)


def classes() -> dict[str, set[str]]:
    """The classes of cheats in the gallery's page, by file."""
    page = (ROOT / "tests" / "gallery" / "README.md").read_text()
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| ")]
    found: dict[str, set[str]] = {}
    for name, files in rows[1:]:
        for file in files.split(","):
            found.setdefault(file.strip().split("/")[-1], set()).add(name.strip())
    return found


CLASSES = classes()


def kinds_of_cheat(example: Example) -> list[str]:
    """Samples of cheats show each part, each verdict and each class of the gallery's page."""
    verdicts, known = example.expected("cpu"), CLASSES.get(example.file.stem, set())
    return [example.part.name, *verdicts, *known]


def kinds_of_oddity(example: Example) -> list[object]:
    """Samples of honest files hold a file of each part and a file of twenty others."""
    return [example.part.name, HONEST.index(example) // 20]


@pytest.mark.parametrize("example", sampled([*CHEATS, *PASSING], kinds_of_cheat), ids=str)
def test_cheats_get_their_verdict(example: Example, device: Device) -> None:
    assert not cheat_outcome(example, device).complaint


@pytest.mark.parametrize("example", sampled(HONEST, kinds_of_oddity), ids=str)
def test_honest_files_do_not_suffer(example: Example, device: Device) -> None:
    assert not honest_outcome(example, device).complaint


def test_the_gallery_is_as_large_as_promised() -> None:
    assert len(CHEATS) >= 100
    assert len(HONEST) >= 100
    ideas = [example.idea for example in [*CHEATS, *PASSING, *HONEST]]
    assert all(ideas), "the first comment behind line 1 says what a file does"


def test_a_file_of_any_speed_is_profiled_for_the_table_alone() -> None:
    cpu = Device("cpu", "a processor")
    example = next(e for e in HONEST if not e.is_timed(cpu) and not e.stated("case"))
    for whole in (False, True):
        (planned,) = (p for p in example.short_plan(cpu, whole=whole).parts if p.submission)
        assert bool(planned.part.speed) == bool(planned.profiled) == whole
        assert planned.sanitized


@pytest.mark.parametrize(("time_ms", "complains"), [(1.7, True), (1.4, False), (1.2, True)])
def test_a_share_of_the_speed_points_that_is_not_stated_is_told(
    time_ms: float, complains: bool
) -> None:
    case = CaseResult("2^24", "speed", times=Times(time_ms=time_ms, reference_ms=1.0))
    assert bool(speed_complaint(PartResult("part", "file.cu", (case,)), (0.9, 0.95))) == complains


def test_the_classes_name_files_that_are_there() -> None:
    named = set(CLASSES)
    known = {example.file.stem for example in [*CHEATS, *PASSING]}
    assert named <= known, named - known


def test_what_passes_is_admitted() -> None:
    page = (ROOT / "docs" / "grading.md").read_text()
    for example in PASSING:
        assert f"| {example.part.name}/{example.file.stem} |" in page
