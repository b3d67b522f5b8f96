"""The architecture of the CPU device: data goes one way through the run-time library's folders.

A file is taken together with the header of the same name: `block.h` and `block.cpp` are a module.
What needs what is looked up twice: in the text (#include), and in the compiled objects (which file
defines a function that another file calls), since a header can declare what is defined elsewhere.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from cpudevice.compiler.flags import prepare_diagnostics
from cpudevice.compiler.library import library_by_source, ready
from cpudevice.compiler.options import Options

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "cpudevice" / "src"

# Lowest first: a folder needs no folder below it in the list. No program has both of the last two.
FOLDERS = (
    "base",
    "arithmetic",
    "diagnostics",
    "memory",
    "scheduler/launch",
    "scheduler/block",
    "scheduler/threads",
    "scheduler/workers",
    "streams",
    "matrices",
    "textures",
    "api",
    "graphs",
    "sanitize/memory",
    "sanitize/findings",
    "sanitize/order",
    "sanitize",
    "profile/trace",
    "profile/gpu",
    "profile/replay",
    "profile",
)
MOST_MODULES = 16  # in a folder: the most names that `ls` shows on a screen
# The functions that a diagnostic mode implements for all folders below: diagnostics/observer.h.
INTERFACE = "cudacpu::observe::"

Graph = dict[str, dict[str, str]]  # a module, the modules it needs, and an example of why


def module_of(path: Path) -> str:
    return path.relative_to(SOURCES).with_suffix("").as_posix()


def source_files() -> list[Path]:
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in (".h", ".cpp"))


def includes() -> Graph:
    graph: Graph = {}
    for path in source_files():
        needs = graph.setdefault(module_of(path), {})
        for name in re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE):
            if (SOURCES / name).is_file():
                needs[module_of(SOURCES / name)] = f"#include in {path.name}"
    return {module: needs_of_others(module, needs) for module, needs in graph.items()}


def needs_of_others(module: str, needs: dict[str, str]) -> dict[str, str]:
    return {other: why for other, why in needs.items() if other != module}


def calls(mode: str) -> Graph:
    """Which module uses a function or variable of another module, in the library of a mode."""
    options = Options(diagnostic=mode)
    if mode:
        prepare_diagnostics(options)
    symbols = subprocess.run(
        ["nm", "-AC", ready(library_by_source(options))], capture_output=True, text=True, check=True
    ).stdout
    defined: dict[str, str] = {}
    used: dict[str, set[str]] = defaultdict(set)
    for line in symbols.splitlines():
        found = re.fullmatch(r".+:(.+)\.libcudacpu_by_source\.o:[0-9a-f ]+ ([A-Za-z]) (.+)", line)
        assert found, line
        module, kind, name = found[1].replace("-", "/"), found[2], found[3]
        if mode and name.startswith(INTERFACE):
            continue
        if kind == "U":
            used[module].add(name)
        elif kind in "TDBR":
            defined[name] = module
    graph: Graph = {}
    for module, names in used.items():
        needs = {defined[name]: f"uses {name}" for name in sorted(names) if name in defined}
        graph[module] = needs_of_others(module, needs)
    return graph


def upwards(graph: Graph) -> list[str]:
    found = []
    for module, needs in graph.items():
        for other, why in needs.items():
            if level(other) > level(module):
                found.append(f"{module} needs {other}, which is above it ({why})")
            elif {module.split("/")[0], other.split("/")[0]} == {"sanitize", "profile"}:
                found.append(f"{module} needs {other}, of another mode ({why})")
    return found


def level(module: str) -> int:
    return FOLDERS.index(str(Path(module).parent.as_posix()))


def find_circle(graph: Graph) -> list[str]:
    """Returns the modules of a circle in their order; an empty list without a circle."""
    done: set[str] = set()

    def search(module: str, way: list[str]) -> list[str]:
        if module in way:
            return [*way[way.index(module) :], module]
        if module in done:
            return []
        for other in graph.get(module, {}):
            if circle := search(other, [*way, module]):
                return circle
        done.add(module)
        return []

    return next((circle for module in graph if (circle := search(module, []))), [])


def test_every_folder_has_its_place() -> None:
    found = {str(path.parent.relative_to(SOURCES)) for path in source_files()}
    assert found == set(FOLDERS)


def test_a_folder_fits_a_screen() -> None:
    modules: dict[str, set[str]] = defaultdict(set)
    for path in source_files():
        modules[str(path.parent.relative_to(SOURCES))].add(path.stem)
    assert {folder: len(m) for folder, m in modules.items() if len(m) > MOST_MODULES} == {}


def test_includes_are_written_from_the_top() -> None:
    headers = ROOT / "cpudevice" / "include"
    lost = []
    for path in source_files():
        for name in re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE):
            if not (SOURCES / name).is_file() and not (headers / name).is_file():
                lost.append(f"{path.relative_to(ROOT)}: {name}")
    assert lost == []


def test_includes_go_down() -> None:
    graph = includes()
    assert upwards(graph) == []
    assert find_circle(graph) == []


@pytest.mark.parametrize("mode", ["", "sanitize", "profile"], ids=["run", "sanitize", "profile"])
@pytest.mark.exhaustive
def test_calls_go_down(mode: str) -> None:
    graph = calls(mode)
    assert len(graph) > 40  # nm was understood
    assert upwards(graph) == []
    assert find_circle(graph) == []


def test_a_header_declares_for_its_own_file() -> None:
    """What a module uses of another, the other's header declares: calls follow includes."""
    included = includes()
    hidden = []
    for mode in ("", "sanitize", "profile"):
        for module, needs in calls(mode).items():
            for other, why in needs.items():
                public = not (SOURCES / f"{other}.h").is_file()  # declared in include/cudacpu
                if not public and other not in reach(included, module) and not declared(why):
                    hidden.append(f"{module} needs {other}, but includes no header of it ({why})")
    assert hidden == []


def reach(graph: Graph, module: str) -> set[str]:
    """Returns all modules that a module includes, directly or indirectly."""
    found: set[str] = set()
    left = [module]
    while left:
        new = set(graph.get(left.pop(), {})) - found
        found |= new
        left += new
    return found


def declared(why: str) -> bool:
    """Whether the function is also declared for programs, in include/."""
    name = re.sub(r"\(.*", "", why.removeprefix("uses ")).split("::")[-1]
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in public_headers())


@functools.cache
def public_headers() -> list[str]:
    folder = ROOT / "cpudevice" / "include"
    return [path.read_text() for path in folder.rglob("*.h")]


def test_the_core_includes_nothing_of_cudas_libraries() -> None:
    """The core's headers and sources include only headers of the core."""
    headers = ROOT / "cpudevice" / "include"
    strangers = []
    for path in [*headers.rglob("*"), *SOURCES.rglob("*")]:
        if not path.is_file() or path.suffix == ".md":
            continue
        for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE):
            folders = (path.parent, headers, SOURCES)
            if not any((folder / name).is_file() for folder in folders):
                strangers.append(f"{path.relative_to(ROOT)}: {name}")
    assert strangers == []


def test_a_circle_is_found() -> None:
    graph: Graph = {"a": {"b": ""}, "b": {"c": ""}, "c": {"b": ""}}
    assert find_circle(graph) == ["b", "c", "b"]
    assert find_circle({"a": {"b": "", "c": ""}, "b": {"c": ""}, "c": {}}) == []


def test_a_way_up_is_found() -> None:
    graph: Graph = {"memory/arena": {"api/launch": "#include in arena.cpp", "base/error": ""}}
    assert upwards(graph) == [
        "memory/arena needs api/launch, which is above it (#include in arena.cpp)"
    ]
