"""The report: contents, safety of sharing, and the view in a browser."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from grader_mock.house import House, source
from matplotlib import colors, image

from cpudevice.model.roofline import roofline
from grader.check.history import Attempt
from grader.report import Material, PartMaterial, render_report
from grader.report.material import Bar, Ladder, Picture
from grader.report.page import FOLDER
from grader.report.plots import history_svg, roofline_svg
from tests.grader.explain.test_explain import explained

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
CASE = {"verdict": "ok", "score": 2.0, "max_score": 2.0, "time_ms": None, "reference_ms": None}
CASE |= {"peer_ms": None, "modelled": False, "seed": 7, "detail": ""}
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\x1b[2J\u202ecod.exe"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
VOID = {"col", "meta", "img", "br", "link", "input", "hr"}


def case(name: str, **fields: object) -> dict:
    return {"name": name} | CASE | fields


def results(name: str = "transpose", detail: str = "index 5: got 3, want 4") -> dict:
    cases = [case("1x1"), case(name, verdict="wrong", score=0.0, detail=detail)]
    speed = {"time_ms": 1.03, "reference_ms": 0.175, "score": 5.0, "max_score": 20.0}
    cases.append(case("8192x8192", modelled=True, detail=f"as {name}", **speed))
    part = {"name": "transpose", "file": f"{name}.cu", "stars": [], "withheld": 0.0}
    part |= {"cases": cases}
    part |= {"score": 7.0, "max_score": 24.0}
    assignment = {"name": "transpose", "score": 7.0, "max_score": 24.0, "parts": [part]}
    device = {"kind": "cpu", "name": name, "model": "NVIDIA H200, a slice"}
    return {
        "device": device,
        "isolation": "bubblewrap",
        "score": 7.0,
        "max_score": 24.0,
        "assignments": [assignment],
    }


def attempt(slowdown: float | None, part: str = "transpose", right: int = 3) -> Attempt:
    when = "2026-11-21T12:00:00"
    return Attempt("transpose", part, when, "CPU device", 57.68, 100.0, right, 3, slowdown)


def material(name: str = "left") -> Material:
    bars = [Bar("01_naive", "rung", 5.9, "5.90×"), Bar("05_more", "target", 1.0, "1.00×")]
    bars.append(Bar(name, "yours", 5.8, "5.80×"))
    part = PartMaterial(
        ladders=[Ladder(name, "rungs modelled by make ladder-transpose", bars)] * 2,
        explained=explained("naive"),
        pictures={name: [Picture("yours", PIXEL), Picture("the right one", PIXEL)]},
    )
    history = [attempt(None, right=1), attempt(9.5), attempt(1.4), attempt(None, name)]
    return Material({("transpose", "transpose"): part}, history, [("compiler", name)])


PAGE = render_report(results(), material(), "Ada")


class Page(HTMLParser):
    """The elements of a page with attributes, and all text outside <style>."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.words += " " * (tag in ("td", "th"))

    def handle_data(self, text: str) -> None:
        self.words += text if "style" not in self.open else ""

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


# The contents.
def test_every_case_with_its_verdict_and_message():
    words = " ".join(Page(PAGE).words.split())
    assert "Ada" in words and "7 of 24 points" in words
    assert "✗ wrong" in words and "index 5: got 3, want 4 (seed 7)" in words
    assert "1.03 ms 175 µs 5.89× 5 / 20 as transpose" in words
    assert "right in 1 case for correctness" in words
    assert "bubblewrap" in words


def test_a_measured_time_says_how_sure_it_is():
    measured = results()
    speed = measured["assignments"][0]["parts"][0]["cases"][2]
    gpu = {"clock_mhz": 1980, "temperature_c": 41, "throttle": ["power cap"]}
    speed["timing"] = {"repeats": 22, "interval_ms": [1.02, 1.04], "roofline_ms": 0.11} | gpu
    speed["formula"] = "20 × (1 − log(5.89/1.2)/log(10/1.2)) = 5"
    words = " ".join(Page(render_report(measured)).words.split())
    assert "median of 22 calls, 95 % sure to lie between 1.02 ms and 1.04 ms" in words
    assert "1980 MHz, 41 °C; held back by power cap; roofline 110 µs" in words
    assert speed["formula"] in words


def test_a_part_says_its_stars_and_what_it_lost_for_speed():
    shown = results()
    part = shown["assignments"][0]["parts"][0]
    assert "★" not in PAGE and "speed is paid" not in Page(PAGE).words.split("How this")[0]
    part["stars"] = ["target", "library"]
    words = Page(render_report(shown)).words
    assert "★★ all points for speed, faster than every library" in words
    part |= {"stars": [], "withheld": 20.0}
    words = Page(render_report(shown)).words
    assert "speed is paid when all cases are right: 2 of 3 are" in words


def test_results_alone_make_a_page_too():
    page = Page(render_report(results()))
    assert "transpose" in page.words and not page.all("figure", "img")
    without_model = copy.deepcopy(results())
    del without_model["device"]["model"]
    assert "modelled:" not in Page(render_report(without_model)).words


def test_one_verdict_of_a_whole_part_is_told_once():
    stopped = results()
    for one in stopped["assignments"][0]["parts"][0]["cases"]:
        one |= {"verdict": "build_error", "detail": "transpose.cu:3: expected ';'", "time_ms": None}
    words = " ".join(Page(render_report(stopped)).words.split())
    assert words.count("expected ';'") == 1 and "build error in all 3 cases" in words


def test_a_roofline_has_the_numbers_of_a_textbook():
    timed = explained("naive").estimate
    roof = roofline(timed)
    (point,) = roof.points
    kernel = timed.kernels[0].kernel
    moved = 2 * 4 * 2048 * 2048
    assert point.intensity == pytest.approx(kernel.warp_instructions / moved)
    # Below the ridge the share of the roof is the share of the bandwidth.
    bandwidth = moved / (timed.kernels[0].launch_us * 1e3)
    assert point.intensity < roof.ridge
    assert point.bound_by == "memory"
    assert point.share == pytest.approx(bandwidth / timed.gpu.dram_mixed_bytes_per_ns)
    assert point.of_time == 1.0
    assert roof.roof(roof.ridge) == pytest.approx(roof.instructions_per_ns)


# Safety of sharing.
@pytest.mark.slow
def test_the_same_results_give_the_same_bytes():
    assert render_report(results(), material(), "Ada") == PAGE
    code = "from tests.grader.report.test_report import PAGE; print(hash('a')); print(PAGE)"
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[3],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": ".:tests/support"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.partition("\n")
        for seed in "12"
    ]
    assert printed[0][0] != printed[1][0]
    assert printed[0][2] == printed[1][2] == PAGE + "\n"


def test_what_a_submission_says_stays_text():
    page = Page(render_report(results(HOSTILE, HOSTILE), material(HOSTILE), HOSTILE))
    assert not page.all("script") and len(page.all("img")) == 2
    for _, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes)
    assert "<script>alert(1)</script>" in page.words
    assert "\x1b" not in page.words and "\u202e" not in page.words


def test_it_loads_nothing_and_its_policy_says_so():
    page = Page(PAGE)
    policy = next(one for one in page.all("meta") if "http-equiv" in one)["content"]
    style = re.search(r"<style>(.*?)</style>", PAGE, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert PAGE.count("<style") == 1 and "url(" not in style and "@import" not in style
    for _, attributes in page.elements:
        assert "style" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
        assert (attributes.get("src") or "data:image/png;base64,").startswith("data:image/png")


# Reading without eyes, and with weak eyes.
def test_a_screen_reader_finds_its_way():
    page = Page(PAGE)
    for tag in ("header", "nav", "main", "footer", "h1"):
        assert len(page.all(tag)) == 1, tag
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("th") and all("scope" in one for one in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(one["alt"] for one in page.all("img"))
    for one in page.all("svg"):
        assert one.get("role") == "img" or one["aria-hidden"] == "true"
    ids = [one["id"] for _, one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    named = [one["aria-labelledby"].split() for _, one in page.elements if "aria-labelledby" in one]
    links = [[one["href"][1:]] for one in page.all("a")]
    assert {name for names in named + links for name in names} <= set(ids)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 2 for before, after in pairwise(levels))


def luminance(colour: str) -> float:
    shares = colors.to_rgb(colour)
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(scheme):
    blocks = re.findall(r":root \{(.*?)\}", (FOLDER / "style.css").read_text(), re.DOTALL)
    palette = dict(re.findall(r"--(\w+): (#\w+)", blocks[scheme]))
    for ink in ("ink", "soft", "good", "bad", "target"):
        for paper in ("paper", "card", "wash", "hot"):
            dim, bright = sorted((luminance(palette[ink]), luminance(palette[paper])))
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (ink, paper)


def test_figures_are_well_formed_whatever_the_names():
    for draw in (
        lambda name: history_svg([attempt(2.0, HOSTILE.replace("\x1b", "")), attempt(None)], name),
        lambda name: history_svg([attempt(None)], name),
        lambda name: history_svg([attempt(1e6), attempt(1e-3)], name),
        lambda name: roofline_svg(roofline(explained("shared").estimate), name),
    ):
        root = ElementTree.fromstring(draw("one"))
        assert root.find("{*}title").text and root.find("{*}desc").text
        assert draw("one") == draw("one")
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert ids and all(name.startswith("one-") for name in ids)


# The command.
@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def written(house: House) -> str:
    return (house.root / "build/report/index.html").read_text()


def report(house: House) -> tuple[int, str, str]:
    kept = house.root / "build" / "results.json"
    before = kept.read_text() if kept.exists() else ""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with house.start("report", **pipes) as process:
        shown, errors = process.communicate(timeout=60)
    assert (kept.read_text() if kept.exists() else "") == before
    return process.returncode, shown, errors


@pytest.mark.slow
def test_the_command_shows_the_last_check(house: House):
    status, _, errors = report(house)
    assert status == 2 and "make check" in errors and len(errors.splitlines()) == 1
    house.behave("wrong")
    house.grader("check", "twice")
    house.behave("fine", time_ms=4.0)
    house.grader("check", "twice")
    status, shown, errors = report(house)
    assert (status, shown.strip(), errors) == (0, "build/report/index.html", "")
    first = written(house)
    words = " ".join(Page(first).words.split())
    assert "large" in words and "Where the time goes" in words and "Your attempts" in words
    assert str(house.root) not in first
    report(house)
    assert written(house) == first
    # A file with later changes is not the graded file.
    house.write("twice/twice.cu", source("twice", "wrong"))
    assert report(house)[0] == 0
    changed = " ".join(Page(written(house)).words.split())
    assert "has changed since" in changed and "Where the time goes" not in changed


def test_broken_results_are_one_sentence(house: House):
    house.write("build/results.json", "{")
    status, _, errors = report(house)
    assert status == 2 and "cannot be read" in errors and len(errors.splitlines()) == 1


# The view in a browser.
def chromium(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--v=0"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=120, check=True
    )


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.slow
def test_a_browser_shows_it_in_both_colours(tmp_path: Path, width: int, scheme: str):
    (tmp_path / "page.html").write_text(PAGE)
    chosen = {"dark": 0, "light": 1}[scheme]
    done = chromium(
        tmp_path,
        f"--window-size={width},3000",
        f"--blink-settings=preferredColorScheme={chosen}",
        f"--screenshot={tmp_path / 'page.png'}",
        (tmp_path / "page.html").as_uri(),
    )
    assert "Content Security Policy" not in done.stderr
    corner = image.imread(tmp_path / "page.png")[2, 2, :3].mean()
    assert corner < 0.2 if scheme == "dark" else corner > 0.9


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_nothing_stands_out_at_the_side(tmp_path: Path):
    long = "an_assignment_with_a_name_of_which_nobody_can_say_that_it_is_short.cu"
    (tmp_path / "page.html").write_text(render_report(results(long, long), material(long), long))
    frames = "".join(f'<iframe src="page.html" width="{w}" height="900"></iframe>' for w in WIDTHS)
    script = "document.title = JSON.stringify([...document.querySelectorAll('iframe')].map("
    script += "f => f.contentDocument.documentElement.scrollWidth - f.clientWidth))"
    (tmp_path / "frames.html").write_text(
        f"<!doctype html>{frames}<script>onload = () => {{ {script} }}</script>"
    )
    done = chromium(
        tmp_path,
        "--allow-file-access-from-files",
        "--dump-dom",
        (tmp_path / "frames.html").as_uri(),
    )
    title = html.unescape(re.search(r"<title>(.*?)</title>", done.stdout)[1])
    assert json.loads(title) == [0] * len(WIDTHS)


WIDTHS = (320, 390, 1280)
