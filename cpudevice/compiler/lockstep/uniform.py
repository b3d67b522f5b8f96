"""Finds the uniform variables of a kernel: those that are always equal in all threads of a block.

A variable is uniform if its first value is a uniform expression, and if only assignments of uniform
expressions change it. Each such assignment must be a statement of its own or stand in the head of a
loop, and all threads must execute it together. The search begins with the assumption that all
variables are uniform, and ends when nothing contradicts it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from .calls import Calls
from .operators import COMPOUND, SHIFTS, is_assigned_before, is_prefix
from .statements import KEYWORDS, Block, Reader, Split, Statement, Variable

# Functions that a uniform expression may call.
FUNCTIONS = {"min", "max"}
PURE = {*FUNCTIONS, "sizeof", "int", "unsigned", "float", "long", "size_t"}
CASTS = {"static_cast", "const_cast", "reinterpret_cast"}
# Operators that change a variable or read memory.
EFFECTS = {"=", "++", "--", "[", "->"}
JUMPS = {"return", "break", "continue"}

Range = tuple[int, int]  # the first and the last token


@dataclass
class Uniform:
    reader: Reader
    calls: Calls
    parameters: Range  # parentheses included
    body: Block
    arguments: dict[str, Variable] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of the uniform variables
    local: set[str] = field(default_factory=set)  # of all that the kernel declares
    pointers: set[str] = field(default_factory=set)
    # Variables that may hold addresses: pointers, and objects of classes and unknown types. False:
    # no initial value of such an object binds a reference.
    holders: dict[str, bool] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    inner: dict[str, list[Range]] = field(default_factory=lambda: defaultdict(list))  # scopes
    # The variables that are declared together with one of this name.
    declared: dict[str, list[list[Variable]]] = field(default_factory=lambda: defaultdict(list))
    # The value that is assigned to the name at a place; None for ++ and --.
    assigned: dict[int, Range | None] = field(default_factory=dict)
    exposed: list[Range] = field(default_factory=list)  # where any variable may be changed
    divided: list[Range] = field(default_factory=list)  # blocks that some threads may skip

    def __post_init__(self) -> None:
        self.note_places()
        self.note_parameters()
        for statement in self.body.statements():
            self.note_statement(statement)
        for split in self.body.splits():
            for head in split.heads:
                self.note_head(head)
        self.names = self.arguments.keys() | self.declared.keys()
        self.local |= self.names | self.inner.keys()
        while contradicted := self.contradicted():
            self.names -= contradicted

    @property
    def changing(self) -> list[Variable]:
        """The arguments that threads change."""
        return [v for name, v in self.arguments.items() if name not in self.names]

    # ---- what there is ---------------------------------------------------------------------------

    def note_places(self) -> None:
        code = self.reader.code
        text = code.text
        for p in range(self.body.opening, self.body.closing):
            if text(p) == "&" and code.is_name(p + 1) and text(p + 2) in ("=", "{", "(", ":"):
                self.exposed.append((p, self.reader.end(p)))
            if text(p) == "(" and self.is_changed_as_a_whole(p):
                self.exposed.append((p, code.partner[p]))
            if not code.is_name(p):
                continue
            if text(p - 1) not in (".", "->", "::"):
                self.places[text(p)].append(p)
            opening = code.skip_angles(p + 1) if text(p + 1) == "<" else p + 1
            if text(opening) == "(" and self.calls.changes_arguments(text(p)):
                self.exposed.append((opening, code.partner[opening]))

    def is_changed_as_a_whole(self, opening: int) -> bool:
        """Whether what stands in parentheses is changed or pointed at: `(t < n ? a : b) = t;`."""
        text = self.reader.code.text
        before, behind = text(opening - 1), self.reader.code.partner[opening] + 1
        if before in ("++", "--") or (before == "&" and is_prefix(self.reader.code, opening - 1)):
            return True
        return before not in KEYWORDS and is_assigned_before(self.reader.code, behind)

    def note_parameters(self) -> None:
        code = self.reader.code
        first, last = self.parameters
        begin = first + 1
        for p in range(first + 2, last + 1):
            if code.text(p) in (",", ")", "[", "=") and code.is_name(p - 1):
                words = (code.text(q) for q in range(begin, p - 1))
                kind = " ".join(word for word in words if "restrict" not in word)
                kind += "*" * (code.text(p) == "[")
                name = code.text(p - 1)
                self.arguments[name] = Variable(name, p - 1, kind, None, is_plain=True)
                if code.text(p) == "[" or self.calls.names_pointer(p - 2):
                    self.pointers.add(name)
            if code.text(p) == ",":
                begin = p + 1

    def note_statement(self, statement: Statement) -> None:
        for name, begin, end in self.reader.inner_variables(statement.first, statement.last):
            self.inner[name].append((begin, end))
        if statement.is_shared:
            text = self.reader.code.text
            behind = range(statement.first, statement.last + 1)
            statement.shared = [text(p) for p in behind if text(p + 1) in (";", ",", "[")]
            self.local.update(statement.shared)
        elif statement.variables:
            self.note_declaration(statement.variables)
        else:
            self.note_assignment(statement.first, statement.last - 1)

    def note_head(self, head: Range) -> None:
        text = self.reader.code.text
        variables = self.reader.declared(head[0] + 1)
        if variables:
            self.note_declaration(variables)
        first = head[0] + 1
        for p in range(head[0] + 1, head[1] + 1):
            if text(p) in (";", ",") or p == head[1]:
                self.note_assignment(first, p - 1)
                first = p + 1

    def note_declaration(self, variables: list[Variable]) -> None:
        for variable in variables:
            self.declared[variable.name].append(variables)
            if "*" in variable.type:
                self.pointers.add(variable.name)
            self.note_holder(variable)

    def note_holder(self, variable: Variable) -> None:
        name, words = variable.name, re.findall(r"\w+|\*|::", variable.type.split("[")[0])
        if self.calls.are_numbers(words):
            return
        known = [
            word
            for word in words
            if word == "*" or word in self.calls.type_parameters or word in self.calls.classes
        ]
        binds = not known or any(self.calls.classes.get(word, False) for word in known)
        if "auto" in words and variable.initial:
            # A value that nothing constructs is a copy.
            first, last = variable.initial
            binds = any(self.reader.code.text(p) in ("(", "{") for p in range(first, last + 1))
        self.holders[name] = self.holders.get(name, False) or binds

    def note_assignment(self, first: int, last: int) -> None:
        code = self.reader.code
        words = [code.text(p) for p in range(first, min(last + 1, first + 3))]
        if len(words) == 2 and last == first + 1:
            if words[0] in ("++", "--") and code.is_name(last):
                self.assigned[last] = None
            elif words[1] in ("++", "--") and code.is_name(first):
                self.assigned[first] = None
        elif len(words) == 3 and code.is_name(first):
            if words[1] == "=":
                self.assigned[first] = (first + 2, last)
            elif (words[1] in COMPOUND and words[2] == "=") or (words[1], words[2]) in SHIFTS:
                self.assigned[first] = (first + 3, last)

    # ---- what contradicts ------------------------------------------------------------------------

    def contradicted(self) -> set[str]:
        self.divided = [
            (block.opening, block.closing)
            for split in self.body.splits()
            if not self.heads_are_uniform(split)
            for block in split.blocks
        ]
        return {name for name in self.names if self.is_contradicted(name)}

    def is_contradicted(self, name: str) -> bool:
        own = set()
        for together in self.declared.get(name, ()):
            for variable in together:
                own.add(variable.position)
                if variable.name not in self.names or not variable.is_plain:
                    return True
                if variable.initial and not self.is_uniform(variable.initial):
                    return True
        for p in self.places.get(name, ()):
            if p in own or self.is_inner(name, p) or not self.is_changed(name, p):
                continue
            if p not in self.assigned or any(a < p < b for a, b in self.exposed):
                return True
            value = self.assigned[p]
            if value and not self.is_uniform(value):
                return True
            if any(a < p < b and not self.is_declared_in(name, a, b) for a, b in self.divided):
                return True
        return False

    def is_declared_in(self, name: str, first: int, last: int) -> bool:
        """Whether variables of this name are declared nowhere else in the kernel."""
        places = [v.position for group in self.declared[name] for v in group if v.name == name]
        return bool(places) and all(first < p < last for p in places)

    def is_inner(self, name: str, place: int) -> bool:
        return name in self.inner and any(a <= place <= b for a, b in self.inner[name])

    def is_changed(self, name: str, place: int) -> bool:
        """Whether the variable may be changed here, also through a pointer or reference."""
        text = self.reader.code.text
        if any(a < place < b for a, b in self.exposed):
            return True
        before, p = text(place - 1), place + 1
        if text(p) == "->" or (text(p) == "[" and name in self.pointers):
            return False  # only the memory that it points to may change
        while text(p) in (".", "["):
            p = p + 2 if text(p) == "." else self.reader.code.partner[p] + 1
        if text(p) == "(" and p > place + 1:
            return True  # a member function
        code = self.reader.code
        if before == "*" and is_prefix(code, place - 1) and text(p) not in ("++", "--"):
            return False  # as above
        if before in ("++", "--") or is_assigned_before(code, p):
            return True
        return before == "&" and is_prefix(code, place - 1)

    # ---- expressions -----------------------------------------------------------------------------

    def is_uniform(self, expression: Range) -> bool:
        """Whether an expression has no effect, reads no memory and is equal in all threads."""
        code = self.reader.code
        for p in range(expression[0], expression[1] + 1):
            word, behind = code.text(p), code.text(p + 1)
            if code.is_name(p):
                allowed = self.is_uniform_name(p)
            elif word in ("*", "&"):
                allowed = not is_prefix(code, p)
            elif word == "{":
                allowed = code.is_name(p - 1)
            elif word == "(":
                allowed = code.text(p - 1) not in (")", "]", "}")
            else:
                allowed = word not in EFFECTS and (word, behind) not in SHIFTS
            if not allowed:
                return False
        return True

    def is_uniform_name(self, p: int) -> bool:
        code = self.reader.code
        name = code.text(p)
        behind = code.skip_angles(p + 1) if code.text(p + 1) == "<" else p + 1
        if code.text(behind) == "(":
            if name in CASTS:
                return behind > p + 1
            if name not in PURE or behind > p + 1 or code.text(p - 1) == ".":
                return False
            return name not in FUNCTIONS or (
                name not in self.local
                and self.calls.is_of_cuda(p, self.parameters[0], self.body.closing)
            )
        if code.text(p - 1) in (".", "::"):
            return True
        if name in self.local:
            return name in self.names and not self.is_inner(name, p)
        return name != "threadIdx" and name not in self.calls.changing

    # ---- statements ------------------------------------------------------------------------------

    def is_of_block(self, statement: Statement) -> bool:
        """Whether a statement is executed once for the block, not by each thread."""
        if statement.is_shared or statement.is_barrier:
            return True
        if statement.variables:
            return all(v.name in self.names for v in statement.variables)
        text = self.reader.code.text
        target = statement.first + (text(statement.first) in ("++", "--"))
        if target in self.assigned and text(target) in self.names:
            return True
        return self.jumps(statement)

    def jumps(self, statement: Statement) -> bool:
        """Whether it is a jump, perhaps under a uniform condition: `if (n == 0) return;`."""
        code = self.reader.code
        p = statement.first
        if code.text(p) == "if":
            head = (p + 1, code.partner.get(p + 1, p))
            if not self.is_uniform((head[0] + 1, head[1] - 1)):
                return False
            p = head[1] + 1
        p += code.text(p) == "{"
        end = statement.last - (code.text(statement.last) == "}")
        return code.text(p) in JUMPS and end == p + 1

    def heads_are_uniform(self, split: Split) -> bool:
        """Whether all threads take the same path; a loop's head is checked part by part."""
        text = self.reader.code.text
        for head in split.heads:
            first = head[0] + 1
            for p in range(head[0] + 1, head[1] + 1):
                if text(p) != ";" and p != head[1]:
                    continue
                if not self.is_uniform_part((first, p - 1)):
                    return False
                first = p + 1
        return True

    def is_uniform_part(self, part: Range) -> bool:
        """A declaration or assignments of uniform variables, or a uniform expression."""
        code = self.reader.code
        variables = self.reader.declared(part[0])
        if variables:
            return all(v.name in self.names for v in variables)
        changes = [p for p in self.assigned if part[0] <= p <= part[1]]
        if changes:
            return all(code.text(p) in self.names for p in changes)
        return self.is_uniform(part)
