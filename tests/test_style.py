"""The house style, as far as tools can check it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.build.make import make, processors

ROOT = Path(__file__).parents[1]
CPP_SUFFIXES = {".cu", ".cuh", ".h", ".cpp"}
NVCC_TIMEOUT_S = 1800
CLANG_FORMAT = Path(sys.executable).with_name("clang-format")


def tracked(suffixes: set[str]) -> list[str]:
    """The files of the repository with these endings, those not yet added included."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [path for path in listed.stdout.splitlines() if (ROOT / path).is_file()]
    return [path for path in paths if Path(path).suffix in suffixes]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_cpp_is_formatted() -> None:
    # Versions of clang-format disagree on details, so the one pinned in requirements.txt decides.
    if not CLANG_FORMAT.exists():
        pytest.skip("clang-format of grader/requirements.txt is not installed")
    result = run(str(CLANG_FORMAT), "--dry-run", "-Werror", *tracked(CPP_SUFFIXES))
    assert result.returncode == 0, result.stderr[:2000]


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]])
def test_python_is_clean(command: list[str]) -> None:
    if shutil.which("ruff", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("ruff of grader/requirements.txt is not installed")
    result = run(sys.executable, "-m", "ruff", *command, ".")
    assert result.returncode == 0, result.stdout[:2000]


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are shown on the web."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    words = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).lower() for line in lines]
    return {re.sub(r"[^\w\- ]", "", line).replace(" ", "-") for line in words}


def broken_links(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        lost = anchor and target.suffix == ".md" and anchor not in headings(target)
        if not target.exists() or lost:
            broken.append(link)
    return broken


# The pictures of an assignment's template are drawn where it is laid out.
PAGES = [name for name in tracked({".md"}) if not name.startswith("instructor/new_assignment/")]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    assert not broken_links(ROOT / name)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc here")
def test_nvcc_accepts_every_file() -> None:
    status, output = make(ROOT, [f"-j{processors()}", "nvcc-check"], NVCC_TIMEOUT_S)
    assert status == 0, output[:3000]
