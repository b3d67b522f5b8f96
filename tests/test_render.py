"""Render's programs by hand: the pictures that they leave."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.build.make import build

ROOT = Path(__file__).parents[1]
CIRCLES = "build/cpu/render/solution/circles"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    assert not build(ROOT, dict.fromkeys([CIRCLES, "build/judge/render"]))


def draw(*options: str) -> str:
    done = subprocess.run(
        [ROOT / CIRCLES, *options],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout


def is_png(path: Path) -> bool:
    return path.read_bytes().startswith(PNG)


def test_a_run_leaves_its_image_the_right_one_and_their_difference(tmp_path: Path) -> None:
    said = draw("--scene", "rgb", "--size", "32", "--out", f"{tmp_path}/a.png", "--check")
    assert "check     ok" in said
    for name in ("a.png", "a-reference.png", "a-difference.png"):
        assert is_png(tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "a-reference.png").read_bytes()


def test_frames_are_numbered_and_differ(tmp_path: Path) -> None:
    options = ["--scene", "bouncingballs", "--size", "32", "--seed", "7"]
    draw(*options, "--frames", "0:3", "--animate", "--out", f"{tmp_path}/b.png")
    frames = [(tmp_path / f"b-000{k}.png").read_bytes() for k in range(3)]
    assert len(set(frames)) == 3
    assert not (tmp_path / "b.png").exists()


def test_an_unknown_scene_is_told_with_those_there_are() -> None:
    done = subprocess.run(
        [ROOT / CIRCLES, "--scene", "rain"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "no scene 'rain'" in done.stderr and "snowsingle" in done.stderr
