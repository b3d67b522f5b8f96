"""The tiers of tests: `make test-quick`, `make test` and `make test-all`.

Each test has a marker, which names the smallest tier with the test:

    quick        make test-quick, and the tiers above
    slow         make test, and make test-all
    exhaustive   make test-all alone

The markers of the test, its module and its parameters decide, else FOLDERS, else the test is quick.
tests/README.md says what each tier leaves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

TESTS = Path(__file__).resolve().parents[1]
MARKERS = ("quick", "slow", "exhaustive")
TIERS = {"quick": "make test-quick", "test": "make test", "all": "make test-all"}
# The smallest tier with the tests of a marker.
FIRST = dict(zip(MARKERS, TIERS, strict=True))
# The marker of a folder's tests without an own marker.
FOLDERS = {
    "assignments": "slow",
    "cpudevice": "slow",
    "cudalibs": "exhaustive",
    "instructor": "slow",
}

Value = TypeVar("Value")


class Course:
    """The assignments whose files test-quick grades: `make test-quick ONLY=scan,sort`."""

    quick: Sequence[str] = ("saxpy",)


def marker_of(item: pytest.Item) -> str:
    """The largest of the item's markers, or the marker of the item's folder."""
    own = [name for name in MARKERS if item.get_closest_marker(name)]
    if own:
        return own[-1]
    place = item.path.relative_to(TESTS).parts if item.path.is_relative_to(TESTS) else ("",)
    return FOLDERS.get(place[0], "quick")


def runs(tier: str, marker: str) -> bool:
    """Whether a tier runs the tests of a marker: each tier runs all tests of the tier below."""
    return list(TIERS).index(FIRST[marker]) <= list(TIERS).index(tier)


def left_out(items: Iterable[pytest.Item]) -> dict[str, int]:
    """The number of tests by the smallest tier."""
    found = Counter(FIRST[marker_of(item)] for item in items)
    return {tier: found[tier] for tier in TIERS if found[tier]}


def sampled(
    values: Iterable[Value],
    properties: Callable[[Value], Iterable[Hashable]],
    assignment: Callable[[Value], str] = lambda value: "",
) -> list[object]:
    """The values of a large family as parameters of a test: a sample is slow, the rest exhaustive.

    A value with a property that no earlier value has is in the sample. The sample shows each
    property, and stays the same until files are added. Values in the sample are quick where
    `assignment` names an assignment of test-quick.
    """
    known: set[Hashable] = set()
    parameters = []
    for value in values:
        new = set(properties(value)) - known
        known |= new
        quick = assignment(value) in Course.quick
        marker = "exhaustive" if not new else "quick" if quick else "slow"
        parameters.append(pytest.param(value, marks=getattr(pytest.mark, marker)))
    return parameters


def in_quick(values: Iterable[Value], assignment: Callable[[Value], str]) -> list[object]:
    """The values as slow parameters, or as quick parameters for the assignments of test-quick."""
    markers = {True: pytest.mark.quick, False: pytest.mark.slow}
    return [
        pytest.param(value, marks=markers[assignment(value) in Course.quick]) for value in values
    ]


def chosen(request: pytest.FixtureRequest, name: str = "example") -> list:
    """The values of parameter `name` of all chosen tests of the requesting module."""
    items = [item for item in request.session.items if item.path == request.path]
    found = [getattr(item, "callspec", None) for item in items]
    return [spec.params[name] for spec in found if spec and name in spec.params]
