"""Render's programs by hand: the pictures of a run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from PIL import Image

from grader.build.make import build

ROOT = Path(__file__).parents[2]
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


def test_ppm_holds_the_pixels_of_the_png(tmp_path: Path) -> None:
    for name in ("a.png", "a.ppm"):
        said = draw(
            "--scene", "rgb", "--width", "33", "--height", "17", "--out", f"{tmp_path}/{name}"
        )
        assert "check     ok" in said
    for end in ("", "-reference", "-difference"):
        ppm = tmp_path / f"a{end}.ppm"
        with Image.open(ppm) as one, Image.open(ppm.with_suffix(".png")) as other:
            assert one.format == "PPM" and one.mode == "RGB"
            assert one.size == other.size and one.tobytes() == other.tobytes()
    head, pixels = (tmp_path / "a.ppm").read_bytes().split(b"\n255\n", 1)
    assert head == b"P6\n33 17" and len(pixels) == 33 * 17 * 3


def test_a_numbered_ppm_and_a_folder_with_a_dot(tmp_path: Path) -> None:
    folder = tmp_path / "v1.2"
    folder.mkdir()
    options = ["--scene", "rgb", "--size", "16", "--frames", "0:2", "--animate"]
    draw(*options, "--out", f"{folder}/b.ppm")
    assert (folder / "b-0001.ppm").read_bytes().startswith(b"P6\n16 16\n255\n")
    assert (folder / "b-0001-reference.ppm").exists()


@pytest.mark.parametrize("name", ["a.gif", "a", "no/folder/a.ppm", "no/folder/a.png"])
def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    command = [ROOT / CIRCLES, "--scene", "rgb", "--size", "16", "--out", f"{tmp_path}/{name}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert f"{tmp_path}/{name}" in done.stderr
    assert ("cannot be written" if "/" in name else "ends in .png or .ppm") in done.stderr


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
