"""The order of modules in the docstrings of the compiler driver's packages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

COMPILER = Path(__file__).resolve().parents[3] / "cpudevice" / "compiler"
STATED = "module uses only the modules above"
PACKAGES = [
    path.parent
    for path in sorted(COMPILER.rglob("__init__.py"))
    if STATED in " ".join(path.read_text().split())
]


def stated_order(package: Path) -> list[str]:
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    return re.findall(r"^(\w+)(?:\.py|/) {2,}", docstring, re.MULTILINE)


def modules_of(package: Path) -> set[str]:
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    return folders | {path.stem for path in package.glob("*.py")} - {"__init__"}


def imported(file: Path, package: Path) -> set[str]:
    """The modules of the package that a file of the package, or of a folder inside, imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = file.parents[node.level - 1]
        names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            path = folder.joinpath(*name.split("."))
            if path.is_relative_to(package) and path != package:
                found.add(path.relative_to(package).parts[0])
    return found


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_module_uses_only_those_above_it(package: Path) -> None:
    order = stated_order(package)
    assert sorted(order) == sorted(modules_of(package))
    for number, name in enumerate(order):
        files = [package / f"{name}.py"]
        if not files[0].is_file():
            files = sorted((package / name).rglob("*.py"))
        for file in files:
            below = imported(file, package) - {*order[:number], name}
            assert not below, f"{file.relative_to(COMPILER)} uses {below}, which is not above it"


def test_packages_state_an_order() -> None:
    assert {package.name for package in PACKAGES} >= {"compiler", "counts", "headers", "syntax"}


def test_an_import_is_found(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    file = tmp_path / "inside" / "a.py"
    file.write_text("from ..b import x\nfrom .. import c\nfrom .d import y\nimport e\n")
    assert imported(file, tmp_path) == {"b", "c", "inside"}
    assert imported(file, tmp_path / "inside") == {"d"}
