// Checks launch configurations: refuses what CUDA refuses, with CUDA's error and a sentence.
#pragma once

#include <cstddef>

#include "cudacpu/runtime.h"

namespace cudacpu {

// Whether CUDA would launch the kernel: returns a cudaError_t, and prints what is too large.
int check_configuration(const KernelInfo& info, const LaunchConfiguration& c);

// The blocks of a cluster in each dimension; ones if the launch has no clusters.
dim3 cluster_of(const KernelInfo& info, const LaunchConfiguration& c);

// How many blocks of `threads` threads one multiprocessor holds: by threads, and by real shared
// memory (0: cannot run).
int blocks_per_multiprocessor(const KernelInfo& info, unsigned threads, size_t dynamic_bytes);

}  // namespace cudacpu
