"""Chooses the device that grades: a GPU if nvcc and the GPU work, else the CPU device."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.occupancy import MultiprocessorLimits
from grader.base.errors import UsageError

PROBE_TIMEOUT_S = 30


@dataclass(frozen=True)
class Device:
    kind: str  # "cpu" or "gpu"
    name: str
    note: str = ""  # what the student should know about the choice
    # Of a GPU:
    free_bytes: int = 0  # device memory for a case
    architecture: int = 0  # 90 for compute capability 9.0
    uuid: str = ""
    cache_bytes: int = 0  # of the L2 cache
    limits: MultiprocessorLimits | None = None  # of a multiprocessor, if the driver reports limits

    @property
    def measures(self) -> bool:
        """Whether times are measured on this device; on the CPU device they are modelled."""
        return self.kind == "gpu"

    @property
    def title(self) -> str:
        return self.name if self.measures else "CPU device"


def find_nvcc() -> str | None:
    """Finds nvcc on the PATH, or in the folders of the toolkit's installer."""
    on_path = shutil.which("nvcc")
    if on_path:
        return on_path
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    candidates = [Path(home) / "bin" / "nvcc" for home in homes if home]
    return next((str(path) for path in candidates if os.access(path, os.X_OK)), None)


def nvcc_version() -> str:
    """nvcc's release and build, "12.4, V12.4.131"; empty if unknown."""
    command = [find_nvcc() or "nvcc", "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"\brelease (.+)", done.stdout)
    return found[1].strip() if found else ""


def probe_gpu() -> dict:
    """Returns what probe_gpu.py prints, or {"error": sentence}."""
    command = [sys.executable, "-I", str(Path(__file__).with_name("probe_gpu.py"))]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"error": f"the NVIDIA driver did not answer within {PROBE_TIMEOUT_S} s"}
    except ValueError:
        return {"error": "the NVIDIA driver could not be queried"}


def can_profile() -> bool:
    """Whether the diagnostic modes can be built, which, unlike the default mode, need g++."""
    return shutil.which("g++") is not None


def require_profiling() -> None:
    if not can_profile():
        sentence = "Profiling needs g++, which is not installed: `make setup` says how to get it."
        raise UsageError(sentence)


def cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def choose_device(wanted: str) -> Device:
    """Chooses a device. `wanted` is "", "cpu" or "gpu"; "" takes a usable GPU, else the CPU."""
    if wanted not in ("", "auto", "cpu", "gpu"):
        raise UsageError(f'There is no device "{wanted}": DEVICE is cpu or gpu.')
    cpu = Device("cpu", cpu_name())
    if wanted == "cpu":
        return cpu
    gpu = probe_gpu()
    nvcc = find_nvcc()
    if "error" not in gpu and nvcc:
        known = ("free_bytes", "architecture", "uuid", "cache_bytes")
        facts = {name: gpu[name] for name in known if name in gpu}
        if gpu.get("limits"):
            facts["limits"] = MultiprocessorLimits(gpu["architecture"], **gpu["limits"])
        return Device("gpu", gpu["name"], **facts)
    if wanted == "gpu":
        if "error" in gpu:
            raise UsageError(f"DEVICE=gpu: there is no GPU to use here, {gpu['error']}.")
        raise UsageError(
            f"DEVICE=gpu: here is an {gpu['name']}, but nvcc is missing: install the CUDA "
            "toolkit, or set CUDA_HOME to its folder."
        )
    if "error" not in gpu:
        note = f"{gpu['name']} is not used: there is no nvcc (CUDA toolkit, or set CUDA_HOME)."
        return Device("cpu", cpu.name, note=note)
    return cpu
