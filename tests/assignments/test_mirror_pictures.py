"""The judge of stencil's mirror leaves pictures after a look at every pixel."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from matplotlib import image

from grader.build.make import build

ROOT = Path(__file__).parents[2]
JUDGE = "build/judge/stencil"
GUARD = b"\xff" * 256  # the poison of harness/shared/guard.h


@pytest.fixture(scope="module", autouse=True)
def judge() -> None:
    assert not build(ROOT, {JUDGE: None})


def verdict(picture: Path, width: int, height: int) -> str:
    """Returns the judge's verdict on a red image."""
    pixels = b"\x00\x00\x80\x3f" + b"\x00" * 8
    output = os.memfd_create("output")
    os.write(output, GUARD + pixels * (width * height) + GUARD)
    command = [str(ROOT / JUDGE), "--part", "mirror", "--output-fd", str(output), "--repeat", "0"]
    command += ["--seed", "7", "--scene", "diffuse", "--out", str(picture)]
    command += ["--width", str(width), "--height", str(height), "--depth", "2"]
    done = subprocess.run(command, pass_fds=(output,), capture_output=True, timeout=60, check=True)
    os.close(output)
    return json.loads(done.stdout)["verdict"]


def test_yours_the_right_one_and_the_difference(tmp_path: Path) -> None:
    assert verdict(tmp_path / "a.png", 40, 30) == "wrong"
    yours, right, difference = (
        image.imread(tmp_path / f"a{end}.png") for end in ("", "-reference", "-difference")
    )
    assert yours.shape == right.shape == (30, 40, 3)
    assert difference.shape == (12 * 30, 12 * 40, 3), "a small one is enlarged"
    assert (difference[::12, ::12] == difference[11::12, 11::12]).all()
    assert yours[:, :, 0].min() == 1 and yours[:, :, 1:].max() == 0
    assert right.min() < right.max() and difference.max() == 1


def test_none_of_an_image_of_nothing_or_of_which_rows_were_left_out(tmp_path: Path) -> None:
    assert verdict(tmp_path / "b.png", 0, 0) == "ok"
    assert verdict(tmp_path / "b.png", 1024, 512) == "wrong"
    assert list(tmp_path.iterdir()) == []
