"""The instructions of a statement of the dump."""

from __future__ import annotations

import re

from .dump import ASSIGNMENT, BINARY, CALLED, CALLED_TEMPLATE
from .prices import (
    CONVERSION,
    CONVERSION_TO_FLOAT,
    DOUBLE_DIVISION,
    FLOAT_DIVISION,
    INTEGER,
    INTEGER_DIVISION,
    INTEGER_DIVISION_BY_CONSTANT,
    LONG_DIVISION,
    LONG_DIVISION_BY_CONSTANT,
    LONG_DIVISION_OF_SHORT,
    WIDE,
    WIDE_COMPARISON,
    WIDE_TYPES,
    Counts,
    Price,
    price_of_call,
)
from .values import SHORT_TYPE, Values

COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "unord", "ord"}


class Operations:
    """Counts the operations of a function's statements."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def branch(self, condition: str, backward: bool) -> Counts:
        if backward:
            return Counts(loop=3)
        counts = Counts(control=1)
        self.count_comparison(condition, counts)
        return counts

    def count_comparison(self, condition: str, counts: Counts) -> None:
        operands = condition.split()
        kinds = {self.values.type_of(one) for one in operands[:1] + operands[-1:]}
        if kinds & WIDE_TYPES:
            counts.integer += WIDE_COMPARISON
        elif "double" in kinds:
            counts.fp64 += 1
        elif "float" in kinds:
            counts.fp32 += 1
        else:
            counts.integer += 1

    def count(self, statement: str, counts: Counts) -> None:
        """Counts the operation for each element of a vector: a GPU's thread has no vectors."""
        found = ASSIGNMENT.match(statement)
        lanes = self.lanes(statement)
        one = Counts()
        self.count_one(statement, one)
        if found and lanes > 1 and one == Counts() and found[2].startswith(("VEC_", ".")):
            one.integer = 1
        counts.add(one.times(lanes))

    def lanes(self, statement: str) -> int:
        """The number of values that a statement computes: more than 1 for a vector."""
        found = ASSIGNMENT.match(statement)
        return self.values.lanes_of(found[1]) if found else 1

    def count_one(self, statement: str, counts: Counts) -> None:
        called = CALLED.match(statement) or CALLED_TEMPLATE.match(statement)
        if called and not statement.startswith("#"):
            counts.add_price(price_of_call(called[1]))
            return
        found = ASSIGNMENT.match(statement)
        if not found or "{CLOBBER" in statement or statement.startswith("#"):
            return
        result, value = found[1], found[2]
        binary = BINARY.match(value)
        if binary:
            self.count_binary(result, *binary.groups(), counts)
        elif " ? " in value:
            self.count_comparison(value.split(" ? ")[0], counts)
            counts.integer += 1
        elif re.match(r"(MIN|MAX)_EXPR", value):
            self.count_simple(result, counts)
        elif value.startswith("("):
            self.count_cast(result, value, counts)
        elif value.startswith("~"):
            counts.integer += 1

    def count_simple(self, result: str, counts: Counts) -> None:
        kind = self.values.type_of(result)
        if kind == "double":
            counts.fp64 += 1
        elif kind == "float":
            counts.fp32 += 1
        else:
            counts.integer += 1

    def count_binary(self, result: str, a: str, operator: str, b: str, counts: Counts) -> None:
        if operator in COMPARISONS:
            self.count_comparison(f"{a} {operator} {b}", counts)
            return
        kind = self.values.type_of(result)
        if kind in WIDE_TYPES:
            counts.integer += WIDE.get(operator, WIDE["+"])
            return
        if kind in ("float", "double"):
            if operator == "/" and not re.match(r"-?[\d.]", b):
                counts.add_price(FLOAT_DIVISION if kind == "float" else DOUBLE_DIVISION)
            elif result not in self.values.fused:
                self.count_simple(result, counts)
            return
        if operator in ("/", "%"):
            counts.add_price(self.integer_division(result, a, b))
            return
        if result in self.values.addresses.free:
            return
        if operator == "*" and re.fullmatch(r"(1|2|4|8|16|32)", b):
            return  # the scale of an address: part of the multiply-add that follows
        if result in self.values.steps:
            counts.loop += 1
        else:
            counts.integer += 1

    def integer_division(self, result: str, a: str, b: str) -> Price:
        divisors = self.values.divisors(b)
        is_long = self.values.is_long(result, a, b)
        if divisors and all(divisor.bit_count() == 1 for divisor in divisors):
            return INTEGER
        if divisors:
            return LONG_DIVISION_BY_CONSTANT if is_long else INTEGER_DIVISION_BY_CONSTANT
        if not is_long:
            return INTEGER_DIVISION
        return (
            LONG_DIVISION_OF_SHORT
            if self.values.is_short(a) and self.values.is_short(b)
            else LONG_DIVISION
        )

    def count_cast(self, result: str, value: str, counts: Counts) -> None:
        """Only conversions from or to floating point cost an instruction."""
        operand = value.rsplit(" ", 1)[-1]
        made, given = self.values.type_of(result), self.values.type_of(operand)
        if made == "float" and SHORT_TYPE.fullmatch(given):
            counts.add_price(CONVERSION_TO_FLOAT)
        elif made != given and (
            self.values.is_floating(result) or self.values.is_floating(operand)
        ):
            counts.add_price(CONVERSION)
