"""The rules for PTX: a single table has all topics, and instructions without a rule are refused."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from cpudevice.compiler.ptx.instructions import RULES
from cpudevice.compiler.ptx.statements import EXITS, read_statement

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cpudevice" / "compiler" / "ptx"
TOPICS = [
    file.stem for file in sorted(FOLDER.glob("*.py")) if "RULES = Rules()" in file.read_text()
]


def test_topics_are_found() -> None:
    assert {"integers", "memory", "matrices"} <= set(TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_table_has_the_rules_of_every_topic(topic: str) -> None:
    rules = importlib.import_module(f"cpudevice.compiler.ptx.{topic}").RULES
    assert rules
    assert all(rule in RULES for rule in rules)


@pytest.mark.parametrize(
    "instruction",
    ["atom.add.u32", "red.add.u32", "ld.u32", "cp.async.wait_group", "elect.sync", "setp.lt.u32"],
)
def test_an_instruction_without_its_operands_is_refused(instruction: str) -> None:
    words = ["asm", "volatile", "(", f'"{instruction};"', ")"]
    assert read_statement(words) is None


def test_an_instruction_that_has_no_operands_is_known() -> None:
    words = ["asm", "volatile", "(", '"membar.gl;"', ")"]
    assert read_statement(words).template == "membar.gl;"


@pytest.mark.parametrize("comma", [[","], []])
def test_a_comma_between_operands_may_be_missing(comma: list[str]) -> None:
    operands = ['"l"', "(", "p", ")", *comma, '"r"', "(", "x", ")"]
    words = ["asm", "(", '"st.global.u32 [%0], %1;"', "::", *operands, ")"]
    assert [one.constraint for one in read_statement(words).operands] == ["l", "r"]


def test_a_raw_string_has_no_escapes() -> None:
    assert read_statement(["asm", "(", 'R"(membar.gl;)"', ")"]).template == "membar.gl;"
    assert read_statement(["asm", "(", 'R"(membar.gl;\\n)"', ")"]) is None
    assert read_statement(["asm", "(", 'R"a(membar.gl;)b"', ")"]) is None


def test_a_graded_file_has_no_label_with_a_number_either() -> None:
    words = ["asm", "(", '"again_%=: bra again_%=;"', ")"]
    assert read_statement(words) is not None
    assert read_statement(words, graded=True) is None


@pytest.mark.parametrize(
    "name",
    ["red.global.gpu.relaxed.add.u32", "red.relaxed.gpu.global.add.u32", "red.gpu.global.add.u32"],
)
def test_the_parts_of_an_atomic_stand_in_any_order(name: str) -> None:
    words = ["asm", "(", f'"{name} [%0], 1;"', "::", '"l"', "(", "p", ")", ")"]
    assert read_statement(words) is not None


def test_a_cache_policy_is_an_operand_of_its_own() -> None:
    operands = ['"l"', "(", "p", ")", ",", '"f"', "(", "x", ")", ",", '"l"', "(", "policy", ")"]
    name = "st.global.L2::cache_hint.f32"
    words = ["asm", "(", f'"{name} [%0], %1, %2;"', "::", *operands, ")"]
    assert read_statement(words) is not None
    assert read_statement(["asm", "(", f'"{name} [%0], %1;"', "::", *operands[:9], ")"]) is None


def test_a_graded_file_does_not_end_threads() -> None:
    words = ["asm", "volatile", "(", '"exit;"', ")"]
    assert read_statement(words) is not None
    assert read_statement(words, graded=True) is None


@pytest.mark.parametrize(
    ("source", "exits"),
    [
        ('asm("exit;");', True),
        ('__asm__ volatile("{ .reg .pred p;\\n" "@p exit; }" : : "r"(x));', True),
        ('asm volatile(R"(exit;)");', True),
        ('asm("bar.sync 0;"); puts("exit;");', False),
        ("if (wrong) exit(1);", False),
    ],
)
def test_statements_that_end_threads_are_found(source: str, exits: bool) -> None:
    assert bool(EXITS.search(source)) == exits
