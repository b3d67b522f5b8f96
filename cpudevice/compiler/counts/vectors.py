"""Finds accesses to the components of a vector that nvcc joins into one request.

g++ reads and writes `v[i].x`, `v[i].y` … separately; nvcc joins the accesses in a basic block,
since CUDA's vector types are aligned: `r[i] = float4{…}` is a store of 16 bytes. nvcc joins:

    all four components, or of a load the first and the third or fourth    a request
        x and y, z and w                                                       a request each pair
        the others                                                             a request each

A request has at most 16 bytes. An intervening access that may be to the same component separates
the accesses before and after it, and so does any call.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

PLAIN = re.compile(r"tsan_(read|write)(1|2|4|8)$")
COMPONENT = re.compile(r"^(.+?)(->|\.)([xyzw])$")
SCALARS = "u?char|u?short|u?int|u?long|u?longlong|float|double"
VECTOR = re.compile(rf"\bstruct (?:{SCALARS})([1-4])(?:_\d+a)?\b")
WIDEST = 16  # bytes of a request


@dataclass
class Vector:
    """Accesses to the components of a vector that can still be joined."""

    base: str
    store: bool
    length: int  # components
    bytes: int  # of each
    accesses: dict[int, int] = field(default_factory=dict)  # {component: number of the access}
    closed: set[int] = field(default_factory=set)  # components that can no longer be added


class Joiner:
    """Follows the accesses of a basic block; `joined` then holds the result."""

    def __init__(self, type_of: Callable[[str], str]) -> None:
        self.type_of = type_of
        self.open: list[Vector] = []
        self.joined: dict[int, str] = {}  # {number: the new call, "" for none}

    def access(self, number: int, name: str, address: str) -> None:
        """Processes the next access: a call of the function `name` with `address`."""
        plain = PLAIN.match(name)
        if not plain:
            self.close()
            return
        store, size = plain[1] == "write", int(plain[2])
        component = COMPONENT.match(address)
        length = self.length_of(component[1], component[2]) if component else 0
        index = "xyzw".index(component[3]) if component else 0
        if length < 2 or index >= length:
            # The access may change values loaded later, or read values stored before.
            self.close(lambda vector: store or vector.store)
            return
        base = component[1]
        own = next(
            (
                vector
                for vector in self.open
                if (vector.base, vector.store, vector.bytes) == (base, store, size)
                and index not in vector.accesses
                and index not in vector.closed
            ),
            None,
        )
        self.keep_apart(index, store, own)
        if own is None:
            own = Vector(base, store, length, size)
            self.open.append(own)
        own.accesses[index] = number

    def keep_apart(self, index: int, store: bool, own: Vector | None) -> None:
        """Ends the groups across which an access to component `index` of a vector cannot move."""
        for vector in self.open:
            if vector is own or not (store or vector.store):
                continue
            if vector.store and index in vector.accesses:
                vector.closed.update(range(vector.length))
            elif not vector.store:
                vector.closed.add(index)

    def length_of(self, base: str, operator: str) -> int:
        """The components of the vector `base`, 0 if `base` is no vector."""
        named = VECTOR.search(base) if operator == "." else None
        if named is None and re.fullmatch(r"[\w.$]+(\(D\))?", base):
            named = VECTOR.search(self.type_of(base))
        return int(named[1]) & ~1 if named and named[1] in "24" else 0

    def close(self, which: Callable[[Vector], bool] = lambda vector: True) -> None:
        """Joins the accesses to some vectors, to which nothing can be added any more."""
        for vector in [vector for vector in self.open if which(vector)]:
            self.open.remove(vector)
            for components in groups(set(vector.accesses), vector):
                first, *rest = sorted(components)
                if not rest:
                    continue
                size = (max(rest) - first + 1) * vector.bytes
                size = 1 << (size - 1).bit_length()
                # The call of the lowest component has the vector's address.
                kind = "write" if vector.store else "read"
                self.joined[vector.accesses[first]] = f"tsan_{kind}{size}"
                for component in rest:
                    self.joined[vector.accesses[component]] = ""


def groups(components: set[int], vector: Vector) -> list[set[int]]:
    """The components that share a request."""
    if vector.length == 4 and 4 * vector.bytes <= WIDEST:
        if components == {0, 1, 2, 3}:
            return [components]
        if not vector.store and 0 in components and max(components) >= 2:
            return [components]
        if components == {1, 2, 3} and vector.store:
            return []
    pairs = [pair for pair in ({0, 1}, {2, 3}) if pair <= components]
    return pairs if 2 * vector.bytes <= WIDEST else []
