"""The archives of CUDA's libraries: each is built when a program links the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from device.library import check_defined_names, check_warnings

from cpudevice.compiler.library import Part, missing_parts, parts_on_link
from cpudevice.compiler.tools import LIBRARIES

PARTS = [part for part in parts_on_link() if part.top == LIBRARIES]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_compiles_without_a_warning(part: Part, tmp_path: Path) -> None:
    check_warnings(part, tmp_path)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_name_of_an_archive_is_known(part: Part) -> None:
    check_defined_names(part)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_function_leads_to_one_archive(part: Part) -> None:
    assert missing_parts([f"{part.name}Create"]) == [part]
