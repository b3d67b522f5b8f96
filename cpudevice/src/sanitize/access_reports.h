// The sentences of the findings about accesses. `site` is a return address in the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudacpu/runtime.h"
#include "sanitize/findings/findings.h"
#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

// An asynchronous copy starts at `site`: the findings about its writes say so.
void note_copy_site(const void* site);
// Reports that the running thread's access races with the access in `earlier`; race_report() only
// returns the report.
Report race_report(Record earlier, uintptr_t address, bool write, bool earlier_write, bool shared,
                   const void* site);
[[gnu::noinline]] void report_race(Record earlier, uintptr_t address, bool write,
                                   bool earlier_write, bool shared, const void* site);
// The running thread accesses bytes that do not exist, or reads bytes that nothing has written.
[[gnu::noinline]] void report_bounds(uintptr_t address, size_t n, bool write, bool shared,
                                     const void* site);
[[gnu::noinline]] void report_uninitialised(uintptr_t address, size_t n, bool shared,
                                            const void* site);
// The running thread uses the shared memory of another block of its cluster, which has ended, or
// which may not have begun.
void report_ended_block(const BlockState& owner, bool write, const void* site);
void report_unbegun_block(const BlockState& owner, bool write, const void* site);
// A block of a cluster has ended, and nothing orders `access` to its shared memory before that end.
void report_early_end(const BlockState& owner, Record access);
// A kernel uses host memory.
void report_host_pointer(uintptr_t address, size_t n, bool write, const void* site);
// A thread uses a local variable of another thread.
void report_local_of_another(size_t n, bool write, const void* site);
// A kernel writes to a __constant__ variable.
void report_constant_write(const DeviceVariable& variable, size_t n, const void* site);
// The host uses device memory: of `variable` unless null, else of `allocation` (-1: none).
void report_device_pointer(uintptr_t address, size_t n, bool write, int allocation,
                           const DeviceVariable* variable, const void* site);

}  // namespace cudacpu::sanitize
