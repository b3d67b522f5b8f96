"""The model's arithmetic, on profiles written by hand."""

import dataclasses
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
import textbook

from cpudevice.model.gpu import DIRECTORY, SLICE, ModelError, known_models, load_gpu
from cpudevice.model.kernel_time import kernel_time, resident_blocks
from cpudevice.model.model import LIMITS, estimate, floor_ms
from cpudevice.model.profile import parse_profile, read_profile
from instructor.crosscheck.fit import (
    FREE,
    LEEWAY,
    Point,
    accuracy,
    fit,
    modelled_ms,
    rank,
    typical_factor,
)

ROOT = Path(__file__).parents[3]
# Times of the textbook transposes of 8192 x 8192 floats, measured on an NVIDIA H200, in us.
MEASURED = {"naive": 964, "shared": 510, "padded": 288, "rotated": 287, "more_per_thread": 149}


def kernel_of(stored):
    return parse_profile(textbook.profile(stored)).kernels[0]


def copying(*ops):
    return parse_profile(textbook.profile(host=list(ops)))


@pytest.mark.parametrize("model", known_models())
def test_every_gpu_file_is_complete_and_names_its_sources(model):
    gpu = load_gpu(model)
    stored = json.loads((DIRECTORY / f"{model}.json").read_text())["parameters"]
    assert all(entry["source"] and entry["value"] >= 0 for entry in stored.values())
    assert set(FREE) < set(stored)
    assert gpu.slice().dram_mixed_bytes_per_ns == pytest.approx(gpu.dram_mixed_bytes_per_ns * SLICE)
    assert gpu.slice().clock_ghz == gpu.clock_ghz


def test_the_slice_has_the_share_of_the_gpu_that_is_run_of_the_problem():
    """2^24 elements of a graded case are 2^20 in the slice, 3 % more than for 8 multiprocessors."""
    assert load_gpu("h200").slice().multiprocessors == pytest.approx(132 / 16)
    with pytest.raises(ModelError, match="MODEL is a100, h200"):
        load_gpu("h100")


@pytest.mark.parametrize("variant", MEASURED)
def test_textbook_transposes_come_near_what_an_h200_takes(variant):
    time_us = estimate(parse_profile(textbook.transpose(variant, 8192)), load_gpu("h200")).time_us
    assert 0.6 < time_us / MEASURED[variant] < 1.35


def test_sectors_that_blocks_share_add_to_what_memory_takes():
    """8193 x 8192 in rung 5 took 72 us longer than 8192 x 8192: 1.83 million shared sectors."""
    gpu = load_gpu("h200")
    stored = textbook.transpose("more_per_thread", 8192)
    alone = kernel_time(kernel_of(stored["kernels"][0]), gpu)
    shared = kernel_time(kernel_of(stored["kernels"][0] | {"parted_sectors": 1_830_000}), gpu)
    assert shared.terms_us["parted"] == pytest.approx(72, abs=2)
    assert 1.3 < shared.launch_us / alone.launch_us < 222 / 150


def test_blocks_that_wait_for_others_add_to_what_the_launch_takes():
    """Rung 8 of exclusive_scan: 9766 tiles that look back take 25 us longer on an H200."""
    gpu = load_gpu("h200")
    stored = textbook.transpose("more_per_thread", 8192)["kernels"][0]
    alone = kernel_time(kernel_of(stored), gpu)
    waiting = kernel_time(kernel_of(stored | {"waiting_blocks": 9766}), gpu)
    assert waiting.launch_us - alone.launch_us == pytest.approx(25, abs=3)
    assert waiting.terms_us["handover"] == pytest.approx(25, abs=3)


def test_textbook_transposes_rank_as_on_an_h200():
    times = {
        variant: estimate(parse_profile(textbook.transpose(variant, 2048))).time_us
        for variant in MEASURED
    }
    assert times["naive"] > 1.5 * times["shared"] > 1.5 * times["padded"]
    assert times["padded"] == pytest.approx(times["rotated"], rel=0.02)
    assert times["padded"] > 1.3 * times["more_per_thread"]


def test_a_slice_takes_as_long_for_its_share_of_the_work():
    whole = estimate(parse_profile(textbook.saxpy(1 << 28)), load_gpu()).time_us
    part = estimate(parse_profile(textbook.saxpy((1 << 28) // 16))).time_us
    assert part == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize(
    ("variant", "limit"),
    [("naive", "stores"), ("shared", "shared"), ("padded", "latency"), ("more_per_thread", "dram")],
)
def test_what_binds(variant, limit):
    assert estimate(parse_profile(textbook.transpose(variant, 2048))).limit == limit
    assert limit in LIMITS


def test_blocks_that_differ_keep_the_shared_memory_of_a_multiprocessor_busy_for_longer():
    line = {"file": "a.cu", "line": 1, "access": "shared_load", "requests": 1e6, "wavefronts": 1e6}
    even = {"slots": 64, "clocks": 1000, "mean_lifetime": 1000}

    def longer(share):
        terms = [
            kernel_time(
                kernel_of(textbook.kernel(64, (256, 1, 1), [line], schedule=schedule)),
                load_gpu("h200").slice(share),
            ).terms_us["shared"]
            for schedule in (even, even | {"clocks": 3000})
        ]
        return terms[1] / terms[0]

    assert longer(1) == pytest.approx(1 + (3 - 1) / math.sqrt(8))
    # Of 64 values the largest is 2.36 standard deviations above the mean, and of 1024 it is 3.23.
    assert longer(SLICE) == pytest.approx(1 + (3 - 1) * 3.23 / 2.36 / math.sqrt(8), rel=0.01)


def test_a_last_round_that_is_not_full_counts_only_where_the_share_is_that_of_the_problem():
    """64 equal blocks in 48 slots take two rounds, and a larger problem has fuller rounds."""
    line = {"file": "a.cu", "line": 1, "access": "shared_load", "requests": 1e6, "wavefronts": 1e6}
    schedule = {"slots": 48, "clocks": 2000, "mean_lifetime": 1000}
    kernel = kernel_of(textbook.kernel(64, (256, 1, 1), [line], schedule=schedule))
    even = dataclasses.replace(kernel, imbalance=1.0)

    def longer(share):
        gpu = load_gpu("h200").slice(share)
        shared = [kernel_time(one, gpu).terms_us["shared"] for one in (kernel, even)]
        return shared[0] / shared[1]

    assert kernel.imbalance == pytest.approx(1.5)
    assert longer(SLICE) == pytest.approx(1 + (1.5 - 1) / math.sqrt(8))
    assert longer(4 * SLICE) == 1


def test_multiprocessors_without_a_block_do_nothing():
    """Each of 132 multiprocessors has a block of a launch, and 33 have a block of the other."""
    lines = [textbook.shared_line("shared_load", 10_000, 32)]
    few, many = (
        kernel_time(kernel_of(textbook.kernel(blocks, (256, 1, 1), lines)), load_gpu())
        for blocks in (33, 132)
    )
    assert few.terms_us["shared"] == pytest.approx(4 * many.terms_us["shared"])


def test_a_phase_waits_for_its_furthest_load():
    gpu = load_gpu()
    waits = [{"waits_for_l1": 1}, {"waits_for_l2": 1}, {"waits_for_memory": 1}]
    none = {"waits_for_l1": 0, "waits_for_l2": 0, "waits_for_memory": 0}
    times = [
        kernel_time(kernel_of(textbook.kernel(1, (32, 1, 1), [], **none | more)), gpu)
        for more in [{}, *waits]
    ]
    clocks = [1e3 * gpu.clock_ghz * time.terms_us["latency"] - gpu.block_clocks for time in times]
    assert clocks == pytest.approx([0, 40, 285, 715])


def latency_clocks(kernel):
    gpu = load_gpu()
    return 1e3 * gpu.clock_ghz * kernel_time(kernel, gpu).terms_us["latency"] - gpu.block_clocks


def test_two_blocks_wait_for_a_pair_of_sectors_that_comes_from_memory_at_once():
    """A block of two finds the sector in L2 in the profile, and on a GPU still on the way."""
    waits = {"waits_for_l1": 0, "waits_for_l2": 0.5, "waits_for_memory": 0.5}
    sectors = {"l1": {"load_sectors": 132, "missed_sectors": 132}}
    read = {"load_sectors": 132, "store_sectors": 0, "dirty_sectors_at_end": 0}
    stored = textbook.kernel(132, (32, 1, 1), [], **waits, **sectors, dram_bytes=read)
    assert latency_clocks(kernel_of(stored)) == pytest.approx(715)
    # If L2 was asked for more sectors than memory delivered, L2 had the data.
    again = stored | {"l1": {"load_sectors": 264, "missed_sectors": 264}}
    assert latency_clocks(kernel_of(again)) == pytest.approx((285 + 715) / 2)


def test_independent_warps_work_while_others_wait():
    """Many blocks without barriers overlap better than few, or than warps that meet at barriers."""
    gpu = load_gpu()

    def beyond_the_longer(blocks, barriers):
        schedule = {"slots": 64, "clocks": 1050, "mean_lifetime": 1050}
        counts = {"warp_instructions": 8 * 2000 * blocks, "instructions": {}, "barriers": barriers}
        stored = textbook.kernel(blocks, (256, 1, 1), [], schedule=schedule, **counts)
        timed = kernel_time(kernel_of(stored), gpu)
        longer = max(timed.terms_us["issue"], timed.terms_us["latency"])
        return (timed.launch_us - timed.terms_us["launch"]) / longer

    few, many = beyond_the_longer(1056, 0), beyond_the_longer(100 * 1056, 0)
    assert 1 < many < few
    assert beyond_the_longer(100 * 1056, 1) > many


def test_occupancy_by_threads_blocks_registers_and_shared_memory():
    gpu = load_gpu()
    for block, more, blocks in [
        ((1024, 1, 1), {}, 2),
        ((32, 1, 1), {}, 32),
        ((96, 1, 1), {}, 21),
        ((256, 1, 1), {"registers": 128}, 2),
        # 228 KB hold 12 blocks of 17.25 KB, and 13 of 17 KB: 1 KB of each is the driver's.
        ((32, 8, 1), {"static_shared": 16 * 1024 + 256, "registers": 16}, 8),
        ((32, 4, 1), {"static_shared": 16 * 1024 + 256}, 13),
        ((32, 4, 1), {"static_shared": 16 * 1024, "dynamic_shared": 2048}, 12),
    ]:
        assert resident_blocks(kernel_of(textbook.kernel(9, block, [], **more)), gpu) == blocks


def test_atomics_on_one_address_are_served_in_turn():
    kernel = kernel_of(textbook.kernel(132, (256, 1, 1), [], same_address_atomics=137_000))
    timed = kernel_time(kernel, load_gpu())
    assert timed.binds == "atomics"
    assert timed.launch_us == pytest.approx(100 + load_gpu().launch_us)


def test_few_warps_wait_for_their_own_instructions_and_many_do_not():
    schedule = {"slots": 64, "clocks": 0, "mean_lifetime": 41_050}
    more = {"warp_instructions": 8_000_000, "schedule": schedule, "instructions": {}}
    few = kernel_time(kernel_of(textbook.kernel(8, (32, 1, 1), [], **more)), load_gpu().slice())
    assert few.binds == "issue"
    alone = {**more, "warp_instructions": 80_000}
    few = kernel_time(kernel_of(textbook.kernel(8, (32, 1, 1), [], **alone)), load_gpu().slice())
    assert few.binds == "chain"
    clocks = load_gpu().chain_clocks * 40_000
    assert few.terms_us["chain"] == pytest.approx(clocks / load_gpu().clock_ghz / 1e3)


def test_a_warp_does_not_wait_for_instructions_that_it_does_not_need():
    schedule = {"slots": 64, "clocks": 0, "mean_lifetime": 41_050}
    more = {"warp_instructions": 80_000, "schedule": schedule, "instructions": {}}
    dependent, half = (
        kernel_time(
            kernel_of(textbook.kernel(8, (32, 1, 1), [], chain_instructions=count, **more)),
            load_gpu().slice(),
        ).terms_us
        for count in (80_000, 40_000)
    )
    assert half["chain"] == pytest.approx(dependent["chain"] / 2)
    assert half["issue"] == dependent["issue"]


def test_lines_that_the_l1_cache_keeps_in_one_place_take_longer():
    """Rung 1 of sgemm: the lanes of a warp read from 32 rows of 1 KiB, or of 1 KiB and a line."""
    spread, together = (
        kernel_time(
            kernel_of(
                textbook.kernel(
                    132,
                    (256, 1, 1),
                    [
                        textbook.line(
                            "global_load", 10**6, lines128=32, first_lines128=4, lookups=steps
                        )
                    ],
                )
            ),
            load_gpu(),
        ).terms_us["shared"]
        for steps in (8, 32)
    )
    assert together == pytest.approx(32e6 / 132 / load_gpu().clock_ghz / 1e3)
    assert spread < together / 2


def test_waiting_for_a_number_costs_the_way_to_the_host_and_back():
    kernel = textbook.kernel(1, (32, 1, 1), [], load_phases=0)
    launch, back = {"op": "launch", "kernel": 0}, {"op": "memcpy_d2h", "bytes": 4}

    def each_us(*ops):
        few, many = (
            estimate(parse_profile(textbook.profile(kernel, host=list(ops) * times)))
            for times in (10, 20)
        )
        return (many.time_us - few.time_us) / 10

    # Measured by measure.cu.
    assert each_us(back) == pytest.approx(9.1, abs=0.5)
    assert each_us(launch, back) == pytest.approx(13.9, abs=1)
    assert each_us(launch, {"op": "sync"}) == pytest.approx(8.6, abs=1)


def test_double_precision_and_special_functions_have_few_units():
    instructions = {"int": 0, "fp32": 0, "fp64": 10**9, "special": 0}
    stored = textbook.kernel(4096, (256, 1, 1), [], instructions=instructions)
    times = {name: kernel_time(kernel_of(stored), load_gpu(name)) for name in ("h200", "t4")}
    assert times["h200"].binds == times["t4"].binds == "fp64"
    assert times["t4"].launch_us > 30 * times["h200"].launch_us


def test_products_of_matrices_take_the_tensor_cores():
    stored = textbook.kernel(4096, (256, 1, 1), [])
    products = {"bf16": 2 * 10**12, "tf32": 10**12}
    with_products = kernel_of(stored | {"matrix_products": products})
    a100 = load_gpu("a100")
    time = kernel_time(with_products, a100)
    assert time.binds == "matrix"
    # 312 and 156 TFLOPS by the data sheet, at 1.41 GHz; two for each multiplication.
    assert time.terms_us["matrix"] == pytest.approx(2 * 2e12 / 312e6 + 2 * 1e12 / 156e6, rel=0.01)
    assert kernel_time(kernel_of(stored), a100).terms_us["matrix"] == 0
    with pytest.raises(ModelError, match="no tensor cores for bf16"):
        kernel_time(with_products, load_gpu("t4"))
    with pytest.raises(ModelError, match="not of the right form"):
        kernel_of(stored | {"matrix_products": {"fp4": 1}})


def test_many_launches_cost_many_launches():
    stored = textbook.kernel(900, (256, 1, 1), [], launches=100, load_phases=0)
    host = [{"op": "launch", "kernel": 0}] * 100
    few = estimate(parse_profile(textbook.profile(stored, host=host[:1])))
    many = estimate(parse_profile(textbook.profile(stored, host=host)))
    gpu = load_gpu()
    assert many.time_us - few.time_us > 99 * gpu.launch_us


def test_a_launch_of_few_blocks_costs_less():
    """Launches in turn take an H200 1.3 us with one block, 1.9 if they fill the GPU."""
    gpu = load_gpu("h200")
    costs = [
        kernel_time(kernel_of(textbook.kernel(blocks, (256, 1, 1), [])), gpu).terms_us["launch"]
        for blocks in (1, 66, 132, 1056)
    ]
    assert costs == pytest.approx([1.3, 1.6, 1.9, 1.9], abs=0.01)


def uneven_warps(slowest, blocks=64, **more):
    """Blocks of 8 warps on 8 multiprocessors; `slowest`: a block's slowest warp beside the mean."""
    count = 20_000  # instructions of a warp
    schedule = {"slots": 64, "clocks": 0, "mean_lifetime": 4 * count * slowest}
    counts = {"warp_instructions": 8 * blocks * count, "instructions": {"int": 8 * blocks * count}}
    more = {"load_phases": 0, "schedule": schedule} | counts | more
    stored = textbook.kernel(blocks, (256, 1, 1), [], **more)
    return kernel_time(kernel_of(stored), load_gpu("h200").slice()).terms_us["issue"]


def test_the_busiest_scheduler_decides_where_warps_differ():
    """16 warps of normally distributed work are on each of 528 schedulers, and stay there.

    The slowest of a block's 8 warps is 1.43 standard deviations above the mean.
    """
    even = uneven_warps(1)
    busiest = 1 + (2.5 - 1) / 1.43 / 4 * 3.04
    assert uneven_warps(2.5) / even == pytest.approx(busiest, rel=0.03)
    # Of 15 rounds only the last is uneven, and so is only the last of 16 pieces.
    many = uneven_warps(2.5, blocks=15 * 66) / uneven_warps(1, blocks=15 * 66)
    assert many == pytest.approx(1 + (busiest - 1) / 15, rel=0.03)
    pieces = uneven_warps(2.5, same_address_atomics=64 * 8 * 17) / even
    assert pieces == pytest.approx(1 + (busiest - 1) / 16, rel=0.03)
    # Warps that wait for each other have different tasks.
    assert uneven_warps(2.5, barriers=1) == pytest.approx(even, rel=0.01)


def test_work_that_is_unevenly_spread_takes_longer():
    schedule = {"slots": 64, "clocks": 3150, "mean_lifetime": 1050}
    even = kernel_of(textbook.kernel(64, (256, 1, 1), []))
    uneven = kernel_of(textbook.kernel(64, (256, 1, 1), [], schedule=schedule))
    assert (even.imbalance, uneven.imbalance) == (1, 3)
    latency = [kernel_time(kernel, load_gpu()).terms_us["latency"] for kernel in (even, uneven)]
    assert latency[1] == pytest.approx(3 * latency[0])


def test_writes_that_stay_in_the_cache_do_not_go_to_memory():
    def written(store, dirty):
        sectors = {"load_sectors": 0, "store_sectors": store, "dirty_sectors_at_end": dirty}
        return kernel_of(textbook.kernel(1, (32, 1, 1), [], dram_bytes=sectors)).dram_write_bytes

    assert written(0, 1000) == 0
    assert written(5000, 1000) == 32 * 5000
    assert written(10, 1000) == 32 * 10


# The timeline of a call.
def test_pinned_copies_in_two_streams_overlap_with_each_other():
    size = 64 << 20
    up = {"op": "memcpy_h2d", "bytes": size, "pinned": True, "async": True, "stream": 1}
    down = {"op": "memcpy_d2h", "bytes": size, "pinned": True, "async": True, "stream": 2}
    together = estimate(copying(up, down)).time_us
    one_stream = estimate(copying(up, down | {"stream": 1})).time_us
    assert one_stream == pytest.approx(2 * together, rel=0.05)


def test_pageable_copies_are_slower_and_keep_the_host_waiting():
    copy = {"op": "memcpy_h2d", "bytes": 64 << 20, "stream": 1, "async": True}
    down = {"op": "memcpy_d2h", "bytes": 64 << 20, "stream": 2, "async": True}
    pinned = estimate(copying(copy | {"pinned": True}, down | {"pinned": True}))
    pageable = estimate(copying(copy, down))
    gpu = load_gpu()
    rates = gpu.pinned_bytes_per_ns / gpu.pageable_bytes_per_ns
    assert pageable.time_us == pytest.approx(2 * rates * pinned.time_us, rel=0.05)
    assert pageable.limit == "copies"


def test_the_default_stream_waits_for_the_others_and_they_for_it():
    fill = {"op": "memset", "bytes": 64 << 20}
    copy = {"op": "memcpy_h2d", "bytes": 64 << 20, "pinned": True, "async": True, "stream": 1}
    alone = [estimate(copying(op)).time_us for op in (fill, copy)]
    for order in ([fill, copy], [copy, fill]):
        assert estimate(copying(*order)).time_us == pytest.approx(sum(alone), rel=0.02)


def test_an_event_orders_two_streams():
    copy = {"op": "memcpy_h2d", "bytes": 64 << 20, "pinned": True, "async": True, "stream": 1}
    record = {"op": "event_record", "stream": 1, "event": 0}
    wait = {"op": "stream_wait", "stream": 2, "event": 0}
    down = copy | {"op": "memcpy_d2h", "stream": 2}
    ordered = estimate(copying(copy, record, wait, down)).time_us
    assert ordered == pytest.approx(2 * estimate(copying(copy, down)).time_us, rel=0.05)


def test_an_event_orders_the_work_of_two_threads_by_the_record_that_is_awaited():
    copy = {"op": "memcpy_h2d", "bytes": 64 << 20, "pinned": True, "async": True, "stream": 1}
    record = {"op": "event_record", "stream": 1, "event": 0}
    of_other = {"thread": 1, "event": 0, "recorder": 0}
    down = copy | {"op": "memcpy_d2h", "stream": 2, "thread": 1}
    one = estimate(copying(copy)).time_us
    # The first of two copies is awaited, or both; by a stream, or by the host thread.
    for record_number, copies in ((0, 2), (1, 3)):
        for wait in ({"op": "stream_wait", "stream": 2}, {"op": "event_sync"}):
            wait |= of_other | {"record": record_number}
            ops = [copy, record, copy, record, wait, down]
            assert estimate(copying(*ops)).time_us == pytest.approx(copies * one, rel=0.05)
    unknown = of_other | {"op": "event_sync", "record": 7}
    assert estimate(copying(copy, record, unknown)).time_us == pytest.approx(one, rel=0.05)


def test_a_host_function_has_its_place_in_its_stream():
    up = {"op": "memcpy_h2d", "bytes": 64 << 20, "pinned": True, "async": True, "stream": 1}
    function = {"op": "host_function", "stream": 1, "child": 1}
    work = {"op": "host_copy", "bytes": 64 << 20, "thread": 1}
    down = up | {"op": "memcpy_d2h"}
    times = [estimate(copying(*ops)).time_us for ops in ([up], [work | {"thread": 0}], [down])]
    in_row = estimate(copying(up, function, down, work)).time_us
    assert in_row == pytest.approx(sum(times), rel=0.05)
    # The copy keeps neither the host nor other streams waiting.
    beside = estimate(copying(function, work, up | {"stream": 2})).time_us
    assert beside == pytest.approx(max(times[0], times[1]), rel=0.05)
    nothing = {"op": "host_function", "stream": 1}
    assert estimate(copying(up, nothing)).time_us == pytest.approx(times[0], rel=0.05)


def test_host_threads_work_side_by_side():
    work = {"op": "host_copy", "bytes": 64 << 20}
    one = estimate(copying(work, work)).time_us
    two = estimate(copying(work, work | {"thread": 1})).time_us
    assert one > 1.8 * two


def test_managed_memory_moves_faster_when_prefetched():
    launch = {"op": "launch", "kernel": 0}
    kernel = textbook.kernel(8, (256, 1, 1), [])
    size = 64 << 20
    faults = [launch, {"op": "managed_fault", "bytes": size}]
    prefetch = [{"op": "prefetch", "bytes": size, "async": True}, launch]
    times = [
        estimate(parse_profile(textbook.profile(kernel, host=host))).time_us
        for host in (faults, prefetch)
    ]
    assert times[0] > 2 * times[1]


def test_host_threads_share_the_memory_of_the_host():
    work = {"op": "host_copy", "bytes": 64 << 20}
    gpu = load_gpu()
    many = estimate(copying(*(work | {"thread": t} for t in range(64)))).time_us
    together_us = 64 * (64 << 20) / gpu.slice().host_memory_bytes_per_ns / 1e3
    assert many == pytest.approx(together_us, rel=0.02)


def in_threads(order):
    """Four threads, each with a long piece of work, started and joined in the given order."""
    host = [{"op": f"thread_{op}", "child": child} for op, child in order]
    work = [{"op": "host_work", "instructions": 30_000_000, "thread": t} for t in (1, 2, 3, 4)]
    return estimate(copying(*host, *work)).time_us


@pytest.mark.parametrize("work", [{"op": "host_copy", "bytes": 26}, {"op": "host_work"}])
def test_a_little_work_of_the_host_before_a_launch_is_hidden(work):
    """The host is ahead of the device when a timed call begins, and stays so."""
    work = work | {"instructions": 100}
    kernel = textbook.transpose("padded", 2048)["kernels"][0]
    launch = {"op": "launch", "kernel": 0, "stream": 0}
    times = [
        estimate(parse_profile(textbook.profile(kernel, host=ops))).time_us
        for ops in ([launch], [work, launch])
    ]
    assert times[0] == times[1]


def test_threads_that_are_joined_one_by_one_work_one_after_the_other():
    together = in_threads([(op, t) for op in ("start", "join") for t in (1, 2, 3, 4)])
    one_by_one = in_threads([(op, t) for t in (1, 2, 3, 4) for op in ("start", "join")])
    assert one_by_one == pytest.approx(4 * together, rel=0.02)


def test_a_thread_that_nobody_starts_or_joins_works_beside_the_others():
    work = {"op": "host_work", "instructions": 30_000_000}
    alone = estimate(copying(work)).time_us
    spoilt = [{"op": "thread_join", "child": 7}, {"op": "thread_start", "child": 0}]
    assert estimate(copying(work, *spoilt)).time_us == pytest.approx(alone, rel=0.02)
    waiting_for_each_other = [
        {"op": "thread_join", "child": 1},
        {"op": "thread_join", "child": 0, "thread": 1},
    ]
    assert estimate(copying(*waiting_for_each_other)).time_us < 1000


def test_printing_is_named_and_no_more_is_written_than_the_buffer_holds():
    few, many = (
        kernel_time(kernel_of(textbook.kernel(64, (256, 1, 1), [], prints=prints)), load_gpu())
        for prints in (1000, 10**9)
    )
    assert few.binds == many.binds == "printing"
    assert few.launch_us == pytest.approx(1000 * load_gpu().printed_text_us, rel=0.02)
    assert many.terms_us["printing"] < 1e6


def constants_us(passes, misses):
    loads = textbook.line("constant_load", 10**6)
    stored = {"constants": {"passes": passes, "misses": misses}}
    kernel = kernel_of(textbook.kernel(132, (256, 1, 1), [loads], **stored))
    return kernel_time(kernel, load_gpu()).terms_us["constants"]


def test_constants_are_served_one_address_at_a_time():
    gpu = load_gpu()
    pass_us = 1 / (gpu.multiprocessors * gpu.clock_ghz * 1e3)
    assert constants_us(10**6, 0) == 0  # the same address for all lanes
    assert constants_us(32 * 10**6, 0) == pytest.approx(31e6 * pass_us)
    missed_us = constants_us(10**6, 10**6)
    assert missed_us == pytest.approx(1e6 * gpu.constant_miss_clocks * pass_us)


def zero_copy(up, down):
    more = {"link_load_bytes": up, "link_store_bytes": down}
    return textbook.kernel(8, (256, 1, 1), [], **more)


def test_a_kernel_that_reads_the_hosts_memory_is_bound_by_the_link():
    size = 64 << 20
    up_us = size / load_gpu().slice().pinned_bytes_per_ns / 1e3
    both_ways = estimate(parse_profile(textbook.profile(zero_copy(size, size))))
    assert both_ways.limit == "link"
    assert both_ways.time_us == pytest.approx(up_us, rel=0.02)


def test_such_a_kernel_and_copies_share_the_link():
    size = 64 << 20
    launch = {"op": "launch", "kernel": 0, "stream": 1}
    copy = {"op": "memcpy_h2d", "bytes": size, "pinned": True, "async": True, "stream": 2}
    up_us = size / load_gpu().slice().pinned_bytes_per_ns / 1e3
    for name, expected in (("memcpy_h2d", 2 * up_us), ("memcpy_d2h", up_us)):
        for host in ([launch, copy | {"op": name}], [copy | {"op": name}, launch]):
            stored = textbook.profile(zero_copy(size, 0), host=host)
            assert estimate(parse_profile(stored)).time_us == pytest.approx(expected, rel=0.02)


def test_pinning_takes_longer_than_registering():
    times = [
        estimate(copying({"op": name, "bytes": 64 << 20})).time_us
        for name in ("malloc_host", "free_host", "host_register", "host_unregister")
    ]
    assert times == sorted(times, reverse=True)


def test_nothing_is_bound_by_nothing():
    assert estimate(copying()).limit == "nothing"
    assert floor_ms(0, load_gpu()) == 0


# Profiles are not trusted.
@pytest.mark.parametrize(
    "spoil",
    [
        lambda p: p.pop("kernels"),
        lambda p: p.update(version=2),
        lambda p: p["kernels"][0].update(blocks=-1),
        lambda p: p["kernels"][0].update(blocks=math.nan),
        lambda p: p["kernels"][0].update(launches=0),
        lambda p: p["kernels"][0].update(warp_instructions=True),
        lambda p: p["kernels"][0].update(block=[1, 2]),
        lambda p: p["kernels"][0]["lines"][0].update(sectors="many"),
        lambda p: p["kernels"][0]["lines"][0].update(example={"offsets": None}),
        lambda p: p["host"][0].update(kernel=1),
        lambda p: p.update(host=None),
        lambda p: p.update(kernels=[[]]),
    ],
)
def test_a_spoilt_profile_is_a_sentence(spoil, tmp_path):
    stored = textbook.transpose("naive", 64)
    spoil(stored)
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(stored))
    with pytest.raises(ModelError):
        read_profile(file)


def test_the_command_line(tmp_path):
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(textbook.transpose("shared", 2048)))
    command = [sys.executable, "-m", "cpudevice.model", str(file)]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "bound by shared memory" in shown
    missing = subprocess.run([*command[:-1], "no.json"], cwd=ROOT, capture_output=True, text=True)
    assert (missing.returncode, len(missing.stderr.splitlines())) == (2, 1)


# Ranking and fitting.
def points(times_ms, fitted=True):
    variants = ("naive", "shared", "padded", "more_per_thread")
    return [
        Point("a", "p", "c", v, ms, parse_profile(textbook.transpose(v, 2048)), fitted)
        for v, ms in zip(variants, times_ms, strict=True)
    ]


def test_tau_counts_pairs_and_names_grave_inversions():
    found = points([4.0, 3.0, 2.0, 1.0])
    same = {point: point.measured_ms for point in found}
    assert (rank(found, same).tau, rank(found, same).pairs) == (1, 6)
    turned = {point: 1 / point.measured_ms for point in found}
    assert rank(found, turned).tau == -1
    assert len(rank(found, turned).grave) == 4  # 4:3 and 3:2 are not 1.5 apart
    assert math.isnan(rank(found[:1], same).tau)


def test_measured_ties_are_no_evidence_and_modelled_ties_cost():
    found = points([1.0, 1.04, 2.0, 3.0])
    times = {point: point.measured_ms for point in found}
    assert rank(found, times).pairs == 5
    tied = times | {found[2]: times[found[3]]}
    assert rank(found, tied).tau == pytest.approx(4 / math.sqrt(4 * 5))


def test_errors_are_shares_of_measured_times_and_of_comparable_points():
    found = points([1.0, 2.0, 4.0, 8.0])
    times = dict(zip(found, (1.1, 1.5, 5.2, 80.0), strict=True))
    found[3] = dataclasses.replace(found[3], comparable=False)
    near = accuracy(found, times | {found[3]: 80.0})
    assert near.points == 3
    assert near.error == pytest.approx((0.1 + 0.25 + 0.3) / 3)
    assert near.near == pytest.approx(2 / 3)
    assert math.isnan(accuracy(found[3:], times | {found[3]: 80.0}).error)


def test_a_fit_comes_nearer_and_looks_at_its_half_only():
    measured = [MEASURED[v] / 1e3 for v in ("naive", "shared", "padded", "more_per_thread")]
    gpu = load_gpu()
    start = dataclasses.replace(gpu, store_lines_per_ns=gpu.store_lines_per_ns / 2)

    def error(fitted, found):
        return sum(math.log(modelled_ms(point, fitted) / point.measured_ms) ** 2 for point in found)

    found = points(measured)
    assert error(fit(found, start), found) < error(start, found) / 2
    absurd = points([99.0] * 4, fitted=False)
    assert fit(found + absurd, start) == fit(found, start)


def test_a_fit_stays_near_what_was_set_by_hand():
    start = load_gpu()
    fitted = fit(points([40.0] * 4), start)
    for name in FREE:
        factor = getattr(fitted, name) / getattr(start, name)
        assert 1 / LEEWAY <= factor <= LEEWAY, name
    assert fitted.overlap_exponent >= 1


def test_the_typical_factor():
    found = points([1.0] * 4)
    gpu = load_gpu()
    twice = [dataclasses.replace(p, measured_ms=modelled_ms(p, gpu) / 2) for p in found]
    assert typical_factor(twice, gpu) == pytest.approx(2)
    assert math.isnan(typical_factor([], gpu))
