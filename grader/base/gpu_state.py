"""Reads the state of a GPU during timing: clocks, temperature, reasons for throttling.

The values come from the driver's management library (NVML). Without NVML all values are unknown;
grading does not depend on the values.
"""

import ctypes
import datetime
import statistics
from collections.abc import Callable
from dataclasses import dataclass

SM, MEMORY = 1, 2  # nvmlClockType_t
CORE_TEMPERATURE = 0
# nvmlClocksEventReasons: why a clock is lower than its highest rate. Idleness is left out.
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
    """A reading; None stands for a value that the driver does not report."""

    clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    throttle: tuple[str, ...] | None = None


def merge(states: list[GpuState]) -> GpuState:
    """Merges readings: the median of each number, and all reasons."""

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
    """Returns a function whose every call reads the GPU's state."""
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


def driver_version() -> str:
    """The version of the driver, "580.159.04"; empty if unknown."""
    text = ctypes.create_string_buffer(80)
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
        if nvml.nvmlInit_v2() != 0 or nvml.nvmlSystemGetDriverVersion(text, len(text)) != 0:
            return ""
    except (OSError, AttributeError):
        return ""
    return text.value.decode(errors="replace")


def measured_today(gpu: str) -> dict[str, str]:
    """The record beside stored times: the GPU of the measurement, the driver and the date."""
    date = datetime.date.today().isoformat()
    return {"gpu": gpu, "driver": driver_version(), "date": date}


def look(nvml: ctypes.CDLL, handle: ctypes.c_void_p) -> GpuState:
    def ask(number: type, *question: object) -> int | None:
        name, *words = question
        answer = number()
        try:
            status = getattr(nvml, name)(handle, *words, ctypes.byref(answer))
        except AttributeError:
            return None  # an older driver
        return answer.value if status == 0 else None

    # Renamed in CUDA 12.2; later drivers know both names.
    bits = ask(ctypes.c_ulonglong, "nvmlDeviceGetCurrentClocksThrottleReasons")
    return GpuState(
        ask(ctypes.c_uint, "nvmlDeviceGetClockInfo", SM),
        ask(ctypes.c_uint, "nvmlDeviceGetClockInfo", MEMORY),
        ask(ctypes.c_uint, "nvmlDeviceGetTemperature", CORE_TEMPERATURE),
        None if bits is None else tuple(name for bit, name in REASONS.items() if bits & bit),
    )
