"""The folders of grader/ have an order, and imports go one way; each folder fits a screen."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A room imports from its own modules and from earlier rooms.
ROOMS = (
    *("base", "course", "build", "run", "timing", "check"),
    *("terminal", "explain", "ladder", "report", "loop", "cli"),
)
FOLDERS = ("grader", "instructor", "harness", "cpudevice", "tests")
MANY = 15
# Comments, includes, and what keeps a header from being read twice.
ONLY_INCLUDES = re.compile(
    r"([ \t]*(//.*|#\s*(pragma once|include .*|ifndef \w+|define \w+|endif.*))?\n)*"
)


def name_of(file: Path) -> str:
    """The dotted name of a module, from the root."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def modules_of(package: str) -> dict[str, Path]:
    return {name_of(file): file for file in sorted((ROOT / package).rglob("*.py"))}


MODULES = modules_of("grader") | modules_of("instructor") | modules_of("cpudevice/model")
GRADER = [name for name in MODULES if name.split(".")[0] == "grader"]
MODEL = [name for name in MODULES if name.startswith("cpudevice.model")]


def imports(name: str) -> set[str]:
    """The modules of the repository in the imports of a module, inside functions too.

    `from grader.base import lock` imports grader.base.lock, where the module exists.
    """
    file = MODULES[name]
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(filter(None, [*(above if node.level else []), node.module]))
            inside = {f"{base}.{alias.name}" for alias in node.names}
            found |= {one if one in MODULES else base for one in inside}
    return {one for one in found if one.split(".")[0] in ("grader", "instructor", "cpudevice")}


def room(name: str) -> str:
    """Returns the folder of grader/ of a module; "" for grader/__init__.py and the like."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and (ROOT / "grader" / parts[1]).is_dir() else ""


def circles(edges: dict[str, set[str]]) -> Iterator[list[str]]:
    """Returns every circle in a walk along the edges."""
    done: set[str] = set()

    def walk(path: list[str]) -> Iterator[list[str]]:
        for following in sorted(edges.get(path[-1], ())):
            if following in path:
                yield [*path[path.index(following) :], following]
            elif following not in done:
                yield from walk([*path, following])
        done.add(path[-1])

    for start in sorted(edges):
        if start not in done:
            yield from walk([start])


def test_every_folder_of_the_grader_is_a_room() -> None:
    found = {room(name) for name in GRADER} - {""}
    assert found == set(ROOMS), "a new room needs a place in ROOMS"


@pytest.mark.parametrize("name", [name for name in GRADER if room(name)])
def test_imports_come_from_the_rooms_before(name: str) -> None:
    allowed = ROOMS[: ROOMS.index(room(name)) + 1]
    used = {one for one in imports(name) if one.split(".")[0] == "grader"}
    wrong = sorted(one for one in used if room(one) and room(one) not in allowed)
    assert not wrong, f"{name} lies below what it imports"


def test_the_grader_needs_no_instructor() -> None:
    wrong = {name: imports(name) for name in GRADER}
    assert not {
        n: i for n, i in wrong.items() if any(one.split(".")[0] == "instructor" for one in i)
    }


def test_the_model_needs_no_grader() -> None:
    wrong = {name: imports(name) for name in MODEL}
    assert not {
        n: i for n, i in wrong.items() if not all(one.startswith("cpudevice.model") for one in i)
    }


# What the compiler of the CPU device, the checks of a student's file and editors must read alike.
READ_ALIKE = {
    "cpudevice.compiler.headers.folders",
    "cpudevice.compiler.ptx.statements",
    "cpudevice.compiler.tokens",
}


def test_others_import_little_but_the_model_of_the_cpu_device() -> None:
    wrong = {
        name: sorted(
            one
            for one in imports(name)
            if one.startswith("cpudevice") and one not in {*MODEL, *READ_ALIKE}
        )
        for name in MODULES
    }
    assert not {name: used for name, used in wrong.items() if used}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """An import of a name from a package counts for the package's own __init__.py."""
    edges = {name: imports(name) - {name} for name in MODULES}
    assert not [" → ".join(circle) for circle in circles(edges)]


def test_a_circle_is_found() -> None:
    edges = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set()}
    assert list(circles(edges)) == [["a", "b", "c", "a"]]


def units(files: list[Path]) -> Counter[Path]:
    """How many things to read a folder has.

    A .cpp file and the header count once. __init__.py stands for the folder, and a header that only
    includes others is a name for the others. (Programs to compile and grade, .cu, are no parts of
    anything: each is read alone, whatever the number.)
    """
    found = set()
    for file in files:
        forwards = file.suffix == ".h" and ONLY_INCLUDES.fullmatch(file.read_text())
        if file.suffix in (".py", ".cpp", ".h") and file.name != "__init__.py" and not forwards:
            found.add(file.with_suffix("" if file.suffix in (".cpp", ".h") else file.suffix))
    return Counter(unit.parent for unit in found)


@pytest.mark.parametrize("top", FOLDERS)
def test_a_folder_of_source_fits_a_screen(top: str) -> None:
    sizes = units(list((ROOT / top).rglob("*.*")))
    large = {str(folder.relative_to(ROOT)): n for folder, n in sizes.items() if n > MANY}
    assert not large, f"more than {MANY} files: cut them into folders"
