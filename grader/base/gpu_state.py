"""What state a GPU is in while it is timed: clocks, temperature, what holds it back.

Asked of the driver's management library (NVML), which comes with the driver. Where it is missing
or does not answer, nothing is known, and nothing depends on it.
"""

import ctypes
import statistics
from collections.abc import Callable
from dataclasses import dataclass

SM, MEMORY = 1, 2  # nvmlClockType_t
CORE_TEMPERATURE = 0
# nvmlClocksEventReasons: why a clock is not as high as it could be. Idleness is no reason here.
REASONS = {
    0x2: "clocks set by an administrator",
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x10: "synchronised with other GPUs",
    0x20: "temperature",
    0x40: "temperature (hardware)",
    0x80: "power brake",
    0x100: "display clocks",
}


@dataclass(frozen=True)
class GpuState:
    """One look; None is what the driver does not tell."""

    clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    throttle: tuple[str, ...] | None = None


def merge(states: list[GpuState]) -> GpuState:
    """Many looks as one: the middle of the numbers, and every reason that was seen."""

    def middle(name: str) -> int | None:
        known = [getattr(state, name) for state in states if getattr(state, name) is not None]
        return round(statistics.median(known)) if known else None

    throttles = [state.throttle for state in states if state.throttle is not None]
    reasons = (
        tuple(sorted({reason for some in throttles for reason in some})) if throttles else None
    )
    numbers = (middle(name) for name in ("clock_mhz", "memory_clock_mhz", "temperature_c"))
    return GpuState(*numbers, reasons)


def watch_gpu(uuid: str) -> Callable[[], GpuState]:
    """A function that looks at the GPU, each time it is called."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
        handle = ctypes.c_void_p()
        if nvml.nvmlInit_v2() != 0:
            return GpuState
        if nvml.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(handle)) != 0:
            return GpuState
    except (OSError, AttributeError):
        return GpuState
    return lambda: look(nvml, handle)


def look(nvml: ctypes.CDLL, handle: ctypes.c_void_p) -> GpuState:
    def ask(number: type, *question: object) -> int | None:
        name, *words = question
        answer = number()
        try:
            status = getattr(nvml, name)(handle, *words, ctypes.byref(answer))
        except AttributeError:
            return None  # an older driver
        return answer.value if status == 0 else None

    # Named anew with CUDA 12.2; drivers since then know both.
    bits = ask(ctypes.c_ulonglong, "nvmlDeviceGetCurrentClocksThrottleReasons")
    return GpuState(
        ask(ctypes.c_uint, "nvmlDeviceGetClockInfo", SM),
        ask(ctypes.c_uint, "nvmlDeviceGetClockInfo", MEMORY),
        ask(ctypes.c_uint, "nvmlDeviceGetTemperature", CORE_TEMPERATURE),
        None if bits is None else tuple(name for bit, name in REASONS.items() if bits & bit),
    )
