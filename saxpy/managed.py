"""A numpy array and a CUDA kernel on the same memory.

    .venv/bin/python saxpy/managed.py [--device cpu|gpu] [--n 1000000]

managed.cu is compiled to a shared library. The memory is managed: the same address serves host and
device. numpy sees an ordinary array, the kernel an ordinary pointer, and the program copies
nothing.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FLOATS = ctypes.POINTER(ctypes.c_float)


class Managed:
    """The functions of managed.cu, with errors as exceptions."""

    def __init__(self, library: Path):
        self._library = ctypes.CDLL(str(library))
        self._library.managed_allocate.argtypes = [ctypes.c_int, ctypes.POINTER(FLOATS)]
        self._library.managed_free.argtypes = [FLOATS]
        self._library.managed_saxpy.argtypes = [ctypes.c_int, ctypes.c_float] + 3 * [FLOATS]
        self._library.managed_error_string.restype = ctypes.c_char_p

    def allocate(self, n: int) -> np.ndarray:
        """An array of n floats in managed memory, for free() to free. Its content is undefined."""
        pointer = FLOATS()
        self._check(self._library.managed_allocate(n, ctypes.byref(pointer)))
        return np.ctypeslib.as_array(pointer, shape=(n,))

    def free(self, array: np.ndarray) -> None:
        self._check(self._library.managed_free(as_floats(array)))

    def saxpy(self, scale: float, x: np.ndarray, y: np.ndarray, result: np.ndarray) -> None:
        """result = scale * x + y on arrays of the class, computed by the device."""
        pointers = [as_floats(array) for array in (x, y, result)]
        self._check(self._library.managed_saxpy(len(x), scale, *pointers))

    def _check(self, error: int) -> None:
        if error:
            raise RuntimeError(self._library.managed_error_string(error).decode())


def as_floats(array: np.ndarray) -> ctypes._Pointer:
    return array.ctypes.data_as(FLOATS)


def build(device: str) -> Path:
    target = f"build/{device}/saxpy/managed.so"
    subprocess.run(["make", "-s", target], cwd=ROOT, check=True)
    return ROOT / target


def positive(text: str) -> int:
    value = int(text)
    if not 0 < value < 2**31:
        raise argparse.ArgumentTypeError("must be at least 1 and below 2^31")
    return value


def compared(same: int, n: int) -> str:
    """A sentence on the kernel's result: n elements, of which `same` are those of numpy."""
    if same == n:
        return f"all {n} elements of saxpy.cu's result are numpy's 2 * x + y"
    return f"{n - same} of {n} elements of saxpy.cu's result are not numpy's 2 * x + y"


def main() -> int:
    parser = argparse.ArgumentParser(description="numpy and a CUDA kernel on the same memory")
    default = "gpu" if shutil.which("nvidia-smi") and shutil.which("nvcc") else "cpu"
    parser.add_argument("--device", choices=["cpu", "gpu"], default=default)
    parser.add_argument("--n", type=positive, default=1_000_000, help="elements per array")
    arguments = parser.parse_args()

    managed = Managed(build(arguments.device))
    x, y, result = (managed.allocate(arguments.n) for _ in range(3))
    x[:] = np.arange(arguments.n) % 1000  # written by numpy ...
    y[:] = 0.5
    managed.saxpy(2.0, x, y, result)  # ... read and answered by the kernel ...
    same = np.count_nonzero(result == np.float32(2.0) * x + y)  # ... and read by numpy again
    print(f"{arguments.device}: {compared(int(same), arguments.n)}")
    print(f"x      {x[:5]}\ny      {y[:5]}\nresult {result[:5]}")
    for array in (x, y, result):
        managed.free(array)
    return 0 if same == arguments.n else 1


if __name__ == "__main__":
    sys.exit(main())
