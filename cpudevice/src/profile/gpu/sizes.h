// The caches of the simulated device: a slice of 8 multiprocessors of an H200, with its share of
// the L2 cache.
#pragma once

#include <cstddef>

#include "cudacpu/runtime.h"

namespace cudacpu::profile {

constexpr size_t kL2Bytes =
    size_t{50} * 1024 * 1024 * kMultiprocessors / kMultiprocessorsOfWholeGpu;
// The L1 cache is the part of a multiprocessor's 256 KiB that shared memory leaves, and at least
// kLeastL1Bytes.
constexpr size_t kL1Bytes = size_t{256} * 1024;
constexpr size_t kLeastL1Bytes = size_t{28} * 1024;
// The size of a multiprocessor's first cache for constants, as published measurements of several
// generations of GPUs found.
constexpr size_t kConstantCacheBytes = size_t{2} * 1024;
constexpr int kRegisters = 32;  // a guess: registers are the GPU compiler's business

}  // namespace cudacpu::profile
