// How findings name threads: by number in a block of one dimension, else by coordinates.
#pragma once

#include <string>

#include "driver_types.h"
#include "scheduler/block/thread_set.h"

namespace cudacpu::sanitize {

// "64", or "(0,4)" in a block of 16 x 16.
std::string thread_number(unsigned id, const dim3& block);
// "thread 64", or "thread (0,4) of block (3,0)".
std::string thread_name(unsigned id, const dim3& block, uint3 index);
// "0-31,64", or "(0,0)-(15,1),(0,4)".
std::string thread_ranges(const ThreadSet& threads, const dim3& block);
// "threads 0-31", "some of threads 0-31", "thread 3": the subject of a sentence.
std::string threads_text(const ThreadSet& threads, const dim3& block);

}  // namespace cudacpu::sanitize
