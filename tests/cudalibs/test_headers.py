"""The headers of CUDA's libraries: each can be included by itself, by every reader."""

from __future__ import annotations

import pytest
from device.headers import check_in_the_check, check_with_clang, check_with_gcc, headers_of

from cpudevice.compiler.headers.folders import TABLES, read_table
from cpudevice.compiler.tools import LIBRARIES

OWN = [header for folder in sorted(LIBRARIES.glob("*/include")) for header in headers_of(folder)]
HEADERS = OWN + sorted(read_table(TABLES[1].read_text()))


@pytest.mark.parametrize("header", OWN)
def test_header_alone(header: str) -> None:
    check_with_gcc(header)


def test_all_headers_clang() -> None:
    check_with_clang(HEADERS)


def test_all_headers_in_the_check() -> None:
    check_in_the_check(HEADERS)
