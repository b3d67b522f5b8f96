"""A stand-in for a judge: compares the bytes of mock/runner.py's problem, prints a line of JSON."""

import json
import os
import struct
import sys

from runner import GUARD, numbers


def verdict():
    options = numbers(sys.argv)
    n, fd = options["n"], options["output-fd"]
    data = os.pread(fd, os.fstat(fd).st_size, 0)
    if len(data) != 4 * n + 512:
        return {"verdict": "wrong", "detail": f"the output has {len(data)} bytes"}
    if data[:256] != GUARD or data[-256:] != GUARD:
        return {"verdict": "wrong", "detail": "wrote past the end of result"}
    base = options["seed"] + 1000 * options["repeat"]
    for i, got in enumerate(struct.unpack(f"<{n}I", data[256:-256])):
        want = (2 * i + base) % 2**32
        if got != want:
            return {"verdict": "wrong", "detail": f"index {i}: got {got}, want {want}"}
    return {"verdict": "ok"}


print(json.dumps(verdict()))
