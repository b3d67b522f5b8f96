"""Tests of compiler/translate: what large tables cost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from cpudevice.compiler.tokens import Tokens  # noqa: E402
from cpudevice.compiler.translate import translate  # noqa: E402


def tokens_read(rows: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Counts the looks at tokens while a table of `rows` rows is translated."""
    looks = 0
    text = Tokens.text

    def counted(self: Tokens, position: int) -> str:
        nonlocal looks
        looks += 1
        return text(self, position)

    table = "const unsigned table[][2] = {" + "{1, 2}, " * rows + "};\n"
    with monkeypatch.context() as patch:
        patch.setattr(Tokens, "text", counted)
        translated = translate(f'# 1 "table.cu"\n{table}__global__ void k(int* x) {{ *x = 1; }}\n')
    assert translated.count("{1, 2}") == rows
    return looks


def test_a_table_costs_as_much_as_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (tokens_read(rows, monkeypatch) for rows in (100, 1000))
    assert many < 11 * few
