"""For gdb, on programs of the CPU device: prints the current block and thread at each stop.

(gdb) source cpudevice/gdb.py
(gdb) cuda                          prints block and thread at once
(gdb) tbreak transpose.cu:26 if threadIdx.x == 5 && blockIdx.y == 1
"""

import gdb

SETTINGS = (
    "set pagination off",
    "set confirm off",
    "set breakpoint pending on",
    "set print thread-events off",
    # The CPU device's own signal, which passes the processor to another thread of a block.
    "handle SIGURG nostop noprint pass",
    # Steps enter the student's functions, not those of the CPU device.
    "skip -gfile */cpudevice/*",
    "skip -gfile */cpudevice/*/*",
    "skip -gfile */cpudevice/*/*/*",
)


def triple(value):
    return ", ".join(str(int(value[axis])) for axis in "xyz")


def place():
    """E.g. "block (1, 0, 0) of (4, 1, 1), thread (5, 0, 0) of (64, 1, 1)"; None in host code."""
    try:
        symbols = ("blockIdx", "gridDim", "threadIdx", "blockDim")
        frame = gdb.selected_frame()
        block, grid, thread, threads = (triple(frame.read_var(symbol)) for symbol in symbols)
    except (gdb.error, ValueError):
        return None
    return f"block ({block}) of ({grid}), thread ({thread}) of ({threads})"


class Extents:
    """Prints dim3 and uint3 as (x, y, z)."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"({triple(self.value)})"


def extents(value):
    return Extents(value) if value.type.strip_typedefs().name in ("dim3", "uint3") else None


class Cuda(gdb.Command):
    """Prints the current block and thread of the grid."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print(place() or "in host code")


def stopped(event):
    found = place()
    if found:
        print(f"[{found}]")


for setting in SETTINGS:
    gdb.execute(setting, to_string=True)
gdb.pretty_printers.append(extents)
gdb.events.stop.connect(stopped)
Cuda()
