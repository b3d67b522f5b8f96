"""For gdb, on programs of the CPU device: prints the current block and thread at each stop.

(gdb) source cpudevice/gdb.py
(gdb) cuda                          prints block and thread at once
(gdb) tbreak transpose.cu:26 if threadIdx.x == 5 && blockIdx.y == 1
(gdb) kernel-stop transpose.cu:26 threadIdx.x == 5 && blockIdx.y == 1
                                    the same; says so if the program ends without such a thread
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


class FirstLaunch(gdb.Breakpoint):
    """Keeps the extents of the first launch that reaches a line, without stopping there."""

    def __init__(self, line):
        super().__init__(line, internal=True)
        self.line, self.place = line, None

    def stop(self):
        self.place, self.enabled = place(), False
        return False


class KernelStop(gdb.Command):
    """Stops once at a line, in the first thread for which an expression is true."""

    def __init__(self):
        super().__init__("kernel-stop", gdb.COMMAND_BREAKPOINTS)
        self.condition, self.launches, self.reached = "", [], False

    def invoke(self, argument, from_tty):
        line, _, self.condition = argument.partition(" ")
        gdb.execute(f"tbreak {line} if {self.condition}" if self.condition else f"tbreak {line}")
        self.launches.append(FirstLaunch(line))

    def ended(self, event):
        """Says why the program ended without a stop."""
        if self.reached or not self.launches:
            return
        for launch in self.launches:
            if launch.place is None:
                print(f"[no thread reached {launch.line} in this case]")
            else:
                print(
                    f"[no thread at {launch.line} has {self.condition}; its first launch begins "
                    f"with {launch.place}]"
                )


def stopped(event):
    found = place()
    if found:
        kernel_stop.reached = True
        print(f"[{found}]")


for setting in SETTINGS:
    gdb.execute(setting, to_string=True)
gdb.pretty_printers.append(extents)
kernel_stop = KernelStop()
gdb.events.stop.connect(stopped)
gdb.events.exited.connect(kernel_stop.ended)
Cuda()
