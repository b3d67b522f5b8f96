"""The labelled suite: every fault is found with cause and lines, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite import REPOSITORY, Outcome, cases_of, families, outcomes, program_text, structures_of

FEWEST = 1400
EVERY = 2  # `make suite` runs all; here each pattern is in every other structure


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[Outcome]]:
    return outcomes(families(), tmp_path_factory.mktemp("suite"), EVERY)


@pytest.mark.parametrize("family", families(), ids=lambda family: family.stem)
def test_faults_are_found_and_nothing_else_is(
    found: dict[Path, list[Outcome]], family: Path
) -> None:
    assert found[family]
    for outcome in found[family]:
        assert bool(outcome.stated) == outcome.case.is_wrong, outcome.case.name
    wrong = [
        f"{outcome.case.name}: {outcome.reported} for {outcome.stated}, exit {outcome.status}\n"
        f"{outcome.output}"
        for outcome in found[family]
        if not outcome.as_stated
    ]
    assert not wrong, f"{len(wrong)} cases\n" + "\n".join(wrong[:5])


def test_there_are_many() -> None:
    names = [f"{family.stem}/{case.name}" for family in families() for case in cases_of(family)]
    assert len(set(names)) == len(names) >= FEWEST


@pytest.mark.parametrize("family", families(), ids=lambda family: family.stem)
def test_no_pattern_names_a_structure_that_is_not_there(family: Path) -> None:
    for case in cases_of(family):
        excluded = set(case.pattern.note("not in"))
        assert excluded < structures_of(family).keys(), case.pattern.name


def test_the_versions_differ_in_the_marked_lines_alone() -> None:
    family = REPOSITORY / "tests" / "cpudevice" / "suite" / "device" / "shared_races.cu"
    text = program_text(family, cases_of(family))
    wrong, right = (
        text.split(f"// case: exchange_straight_{version}\n")[1].split("// case:")[0]
        for version in ("wrong", "right")
    )
    assert "__syncthreads();" in right and "__syncthreads();" not in wrong
    assert wrong.count("// finding: race ") == 1 and "// finding:" not in right
