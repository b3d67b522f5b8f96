"""Points: bounds, order and continuity of the score, and how cases share a part's points."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.text import points_text, time_text
from grader.course.declare import CORRECTNESS_POINTS, Case, Scale
from grader.course.options import fit_to_memory, numbers, with_number
from grader.timing.score import is_faster, share_points, speed_fraction

times = st.floats(min_value=1e-6, max_value=1e9)
scales = st.builds(
    lambda full, room: Scale(full, full * room),
    st.floats(min_value=1, max_value=2),
    st.floats(min_value=1.1, max_value=100),
)


@given(times, times, scales)
def test_a_score_is_between_none_and_all(time_ms, reference_ms, scale):
    assert 0.0 <= speed_fraction(time_ms, reference_ms, scale) <= 1.0


@given(times, times, times, scales)
def test_a_faster_program_never_scores_less(one, other, reference_ms, scale):
    faster, slower = sorted((one, other))
    less = speed_fraction(slower, reference_ms, scale)
    assert speed_fraction(faster, reference_ms, scale) >= less


@given(times, st.floats(min_value=1e-3, max_value=1e3))
def test_only_the_ratio_counts(reference_ms, ratio):
    same = speed_fraction(ratio * 7.0, 7.0, Scale())
    found = speed_fraction(ratio * reference_ms, reference_ms, Scale())
    assert found == pytest.approx(same, abs=1e-6)


@given(scales)
def test_the_score_has_no_step_at_its_corners(scale):
    for corner, value in ((scale.full, 1.0), (scale.none, 0.0)):
        for nudge in (1 - 1e-9, 1.0, 1 + 1e-9):
            found = speed_fraction(corner * nudge, 1.0, scale)
            assert found == pytest.approx(value, abs=1e-6)


@given(scales)
def test_the_score_is_log_linear_between_the_corners(scale):
    middle = math.sqrt(scale.full * scale.none)
    assert speed_fraction(middle, 1.0, scale) == pytest.approx(0.5)


def test_modelled_times_may_have_ends_of_their_own():
    scale = Scale(1.1, 2.0, modelled_none=4.0)
    assert speed_fraction(2.5, 1.0, scale.of(modelled=False)) == 0
    assert 0 < speed_fraction(2.5, 1.0, scale.of(modelled=True)) < 1
    assert Scale(1.1, 2.0).of(modelled=True) == Scale(1.1, 2.0)
    scale = Scale(1.1, 2.0, modelled_full=1.4)
    assert speed_fraction(1.3, 1.0, scale.of(modelled=False)) < 1
    assert speed_fraction(1.3, 1.0, scale.of(modelled=True)) == 1
    assert scale.of(modelled=True) == Scale(1.4, 2.0)


@pytest.mark.parametrize("nonsense", [0.0, -1.0, math.nan, math.inf])
def test_times_that_are_none_earn_nothing(nonsense):
    assert speed_fraction(nonsense, 1.0, Scale()) == 0.0
    assert speed_fraction(1.0, nonsense, Scale()) == 0.0


@given(st.lists(st.one_of(st.none(), st.floats(min_value=0, max_value=4)), min_size=1, max_size=10))
def test_shares_add_up(claims):
    shares = share_points(claims, CORRECTNESS_POINTS)
    if None in claims:
        assert sum(shares) == pytest.approx(CORRECTNESS_POINTS)
    assert all(share >= 0 for share in shares)
    assert all(s == c for s, c in zip(shares, claims, strict=True) if c is not None)


def test_faster_than_a_rival_is_by_a_margin():
    assert is_faster(1.0, 1.1)
    assert not is_faster(1.0, 1.01)


words = st.text(alphabet="abcdefgh", min_size=2, max_size=8)
values = st.integers(min_value=0, max_value=2**40)


@given(st.dictionaries(words, values, max_size=6))
def test_options_are_read_as_they_were_written(wanted):
    options = " ".join(f"--{name} {value}" for name, value in wanted.items())
    assert numbers(options) == wanted


@given(st.dictionaries(words, values, max_size=6), words, values)
def test_setting_an_option_changes_only_that_one(given_, name, value):
    options = " ".join(f"--{key} {number}" for key, number in given_.items())
    assert numbers(with_number(options, name, value)) == given_ | {name: value}


def test_an_option_with_one_dash_is_replaced_where_it_stands():
    assert with_number("-n 8 --seed 1", "n", 4) == "-n 4 --seed 1"


@given(
    st.integers(min_value=1, max_value=1 << 20), st.integers(min_value=1 << 10, max_value=1 << 40)
)
def test_a_case_is_shrunk_until_it_fits(rows, free_bytes):
    case = Case("x", gpu_bytes=lambda options: options["rows"] * 4096)
    options, note = fit_to_memory(case, f"--rows {rows} --cols 1024", free_bytes)
    left = numbers(options)["rows"]
    assert left * 4096 <= free_bytes * 0.6 or left == 1
    assert bool(note) == (left != rows)
    assert numbers(options)["cols"] == 1024


def test_a_fixed_need_halves_with_the_size():
    case = Case("x", gpu_bytes=800)
    assert numbers(fit_to_memory(case, "-n 64", 400)[0]) == {"n": 16}


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0.0154, "15.4 µs"),
        (0.964, "964 µs"),
        (0.9999, "1.00 ms"),
        (2.01, "2.01 ms"),
        (99.97, "100 ms"),
        (1240.0, "1.24 s"),
        (None, ""),
    ],
)
def test_times_have_three_digits(ms, text):
    assert time_text(ms) == text


def test_points_have_no_trailing_zeros():
    assert [points_text(p) for p in (40.0, 2.857, 0.5, 0.0)] == ["40", "2.86", "0.5", "0"]
