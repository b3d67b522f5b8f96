"""Asks the CUDA driver about the first GPU; prints one line of JSON.

    {"name", "free_bytes", "architecture", "uuid", "cache_bytes", "limits"} or {"error"}

`limits` has the limits of a multiprocessor, by the names of cpudevice/model/occupancy.py.

A program of its own, so that the grader can give up on a driver that hangs, and keeps no context of
the driver.
"""

import ctypes
import json
import uuid

# CUdevice_attribute
L2_CACHE_SIZE = 38
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76
LIMITS = {
    "threads": 39,
    "blocks": 106,
    "registers": 82,
    "shared_bytes": 81,
    "shared_bytes_reserved": 111,
}


def probe() -> dict:
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return {"error": "no NVIDIA driver is installed"}

    def call(function: str, *arguments: object) -> None:
        status = getattr(cuda, function)(*arguments)
        if status != 0:
            raise RuntimeError(f"the NVIDIA driver answers {function} with error {status}")

    def attribute(number: int) -> int:
        value = ctypes.c_int()
        call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        return value.value

    device, context = ctypes.c_int(), ctypes.c_void_p()
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    identity = (ctypes.c_ubyte * 16)()
    name = ctypes.create_string_buffer(256)
    try:
        call("cuInit", 0)
        call("cuDeviceGet", ctypes.byref(device), 0)
        call("cuDeviceGetName", name, len(name), device)
        call("cuDeviceGetUuid", identity, device)
        cache_bytes = attribute(L2_CACHE_SIZE)
        architecture = 10 * attribute(CAPABILITY_MAJOR) + attribute(CAPABILITY_MINOR)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        call("cuCtxSetCurrent", context)
        call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    except RuntimeError as error:
        return {"error": str(error)}
    try:
        limits = {key: attribute(number) for key, number in LIMITS.items()}
    except RuntimeError:
        limits = {}  # a driver older than CUDA 11.1 lacks some attributes
    return {
        "name": name.value.decode(errors="replace"),
        "free_bytes": free.value,
        "architecture": architecture,
        "uuid": f"GPU-{uuid.UUID(bytes=bytes(identity))}",  # as in NVML and nvidia-smi
        "cache_bytes": cache_bytes,
        "limits": limits,
    }


if __name__ == "__main__":
    print(json.dumps(probe()))
