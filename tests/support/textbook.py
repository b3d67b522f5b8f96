"""Profiles written by hand: the counters of textbook kernels, known without a run."""

from __future__ import annotations


def line(access: str, requests: int, number: int = 20, **counters: float) -> dict:
    """A source line of full warps, 4 bytes a lane."""
    stored = {"file": "transpose.cu", "line": number, "access": access, "requests": requests}
    stored |= {"lanes": 32 * requests, "bytes": 128 * requests, "example": None}
    return stored | {name: count * requests for name, count in counters.items()}


def global_line(access: str, requests: int, sectors: int, lines: int, number: int = 20) -> dict:
    per_request = {"sectors": sectors, "ideal_sectors": 4, "lines128": lines}
    per_request["first_lines128"] = min(lines, 4)
    return line(access, requests, number, **per_request)


def shared_line(access: str, requests: int, ways: int, number: int = 20) -> dict:
    per_request = {"wavefronts": ways, "ideal_wavefronts": 1, "conflicts": ways - 1}
    return line(access, requests, number, **per_request)


def kernel(blocks: int, block: tuple[int, int, int], lines: list[dict], **more: object) -> dict:
    threads = block[0] * block[1] * block[2]
    warps = -(-threads // 32)
    stored = {
        "name": "transpose_kernel",
        "file": "transpose.cu",
        "line": 10,
        "launches": 1,
        "grid": [blocks, 1, 1],
        "block": list(block),
        "static_shared": 0,
        "dynamic_shared": 0,
        "registers": 32,
        "blocks": blocks,
        "threads": blocks * threads,
        "warps": blocks * warps,
        "warp_instructions": 40 * blocks * warps,
        "instructions": {},
        "active_lane_average": 32,
        "load_phases": 1,
        "barriers": 0,
        "dram_bytes": {"load_sectors": 0, "store_sectors": 0, "dirty_sectors_at_end": 0},
        "l1": {"load_sectors": 0, "missed_sectors": 0},
        "link_load_bytes": 0,
        "link_store_bytes": 0,
        "schedule": {"slots": 16, "clocks": 0, "mean_lifetime": 0},
        "same_address_atomics": 0,
        "shuffle_clocks": 0,
        "constants": {"passes": 0, "misses": 0},
        "prints": 0,
        "heap_calls": 0,
        "parted_sectors": 0,
        "waiting_blocks": 0,
        "sleep_ns": 0,
        "lines": lines,
    }
    stored |= more
    phases, from_memory = stored["load_phases"], stored["l1"]["missed_sectors"] > 0
    waits = {"waits_for_l1": 0, "waits_for_l2": 0, "waits_for_memory": 0}
    waits["waits_for_memory" if from_memory else "waits_for_l1"] = phases
    waits["chain_instructions"] = stored["warp_instructions"]
    return waits | stored


def memory(read: int, written: int) -> dict:
    """So many sectors from and to memory, with no hits in a cache."""
    sectors = {"load_sectors": read, "store_sectors": written, "dirty_sectors_at_end": 0}
    return {"dram_bytes": sectors, "l1": {"load_sectors": read, "missed_sectors": read}}


def profile(*kernels: dict, host: list[dict] | None = None) -> dict:
    """A call with a launch of each kernel, by default."""
    launches = [{"op": "launch", "kernel": index, "stream": 0} for index in range(len(kernels))]
    launched = launches if host is None else host
    return {"version": 1, "compiler": "by hand", "kernels": list(kernels), "host": launched}


def transpose(variant: str, side: int) -> dict:
    """A transpose of side x side floats, tiles of 32 x 32, as in the ladder of transpose/."""
    blocks, warps = (side // 32) ** 2, side * side // 32
    block = (32, 8, 1) if variant == "more_per_thread" else (32, 32, 1)
    load = global_line("global_load", warps, 4, 1, number=18)
    matrix = 4 * side * side // 32
    traffic = memory(matrix, matrix)
    if variant == "naive":
        store = global_line("global_store", warps, 32, 32, number=18)
        return profile(kernel(blocks, block, [load, store], **traffic))
    store = global_line("global_store", warps, 4, 1, number=32)
    ways = 32 if variant == "shared" else 1
    tile = [
        shared_line("shared_store", warps, 1, number=24),
        shared_line("shared_load", warps, ways, number=32),
    ]
    tile_bytes = 32 * 33 * 4 if variant == "padded" else 32 * 32 * 4
    more = {"static_shared": tile_bytes, "barriers": 1, "load_phases": 1}
    return profile(kernel(blocks, block, [load, *tile, store], **more, **traffic))


def saxpy(n: int) -> dict:
    """An element per thread, blocks of 256."""
    warps = n // 32
    lines = [
        global_line("global_load", 2 * warps, 4, 1, number=14),
        global_line("global_store", warps, 4, 1, number=14),
    ]
    traffic = memory(8 * n // 32, 4 * n // 32)
    return profile(kernel(n // 256, (256, 1, 1), lines, warp_instructions=20 * warps, **traffic))
