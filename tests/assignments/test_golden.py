"""The counters of every rung and solution against the records in tests/golden/."""

from __future__ import annotations

import json

import golden
import pytest
from tiers import chosen, sampled

PROGRAMS = golden.programs()
# Another compiler keeps other values in registers.
TOLERANCE = {"instructions": 0.2, "warp_instructions": 0.2}
OTHERWISE = 0.03


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest) -> None:
    golden.build(chosen(request, "program"))


def numbers(value: object, path: str = "") -> dict[str, float]:
    if isinstance(value, dict):
        items = [(f"{path}/{k}", v) for k, v in value.items()]
    elif isinstance(value, list):
        items = [(f"{path}/{i}", v) for i, v in enumerate(value)]
    else:
        return {path: value} if isinstance(value, (int, float)) else {}
    return {p: n for key, v in items for p, n in numbers(v, key).items()}


def targets(program: golden.Program) -> list[object]:
    """Samples of programs hold each part's target rung."""
    return [program.part.name] if program.source.stem == program.part.target else []


@pytest.mark.parametrize(
    "program",
    sampled(PROGRAMS, targets, lambda program: program.source.parts[0]),
    ids=lambda program: str(program.source.with_suffix("")),
)
def test_counters_are_as_recorded(built: None, program: golden.Program) -> None:
    assert program.golden.exists(), f"{program.source} has no counters yet: make golden"
    recorded = json.loads(program.golden.read_text())
    found = golden.measure(program)
    if found["compiler"] == recorded["compiler"]:
        assert found == recorded, "counters have changed; if that is right: make golden"
        return
    a, b = numbers(recorded), numbers(found)
    assert a.keys() == b.keys()
    for path, value in a.items():
        allowed = next((t for name, t in TOLERANCE.items() if f"/{name}" in path), OTHERWISE)
        assert abs(b[path] - value) <= allowed * abs(value) + 1, path
