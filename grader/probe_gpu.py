"""Asks the CUDA driver for the first GPU; prints one line of JSON.

    {"name", "free_bytes", "architecture", "uuid", "cache_bytes"} or {"error"}

Run as a program of its own, so that a driver that hangs can be given up on and no context stays
behind in the grader.
"""

from __future__ import annotations

import ctypes
import json
import uuid

L2_CACHE_SIZE = 38  # CUdevice_attribute

CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76  # CUdevice_attribute


def probe() -> dict:
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return {"error": "no NVIDIA driver is installed"}

    def call(function: str, *arguments: object) -> None:
        status = getattr(cuda, function)(*arguments)
        if status != 0:
            raise RuntimeError(f"the NVIDIA driver answers {function} with error {status}")

    device, context = ctypes.c_int(), ctypes.c_void_p()
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    identity, cache = (ctypes.c_ubyte * 16)(), ctypes.c_int()
    major, minor = ctypes.c_int(), ctypes.c_int()
    name = ctypes.create_string_buffer(256)
    try:
        call("cuInit", 0)
        call("cuDeviceGet", ctypes.byref(device), 0)
        call("cuDeviceGetName", name, len(name), device)
        call("cuDeviceGetUuid", identity, device)
        call("cuDeviceGetAttribute", ctypes.byref(cache), L2_CACHE_SIZE, device)
        call("cuDeviceGetAttribute", ctypes.byref(major), CAPABILITY_MAJOR, device)
        call("cuDeviceGetAttribute", ctypes.byref(minor), CAPABILITY_MINOR, device)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        call("cuCtxSetCurrent", context)
        call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    except RuntimeError as error:
        return {"error": str(error)}
    return {
        "name": name.value.decode(errors="replace"),
        "free_bytes": free.value,
        "architecture": 10 * major.value + minor.value,
        "uuid": f"GPU-{uuid.UUID(bytes=bytes(identity))}",  # as NVML and nvidia-smi write it
        "cache_bytes": cache.value,
    }


if __name__ == "__main__":
    print(json.dumps(probe()))
