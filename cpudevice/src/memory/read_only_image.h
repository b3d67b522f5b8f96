// The parts of the program and its libraries that cannot be written: literals, constants, tables
// of virtual functions.
#pragma once

#include <cstdint>

namespace cudacpu {

// Reads again which files are loaded; to be called when a launch begins.
void refresh_read_only_image();
// Whether the range was read-only then. Kernels may read it: nvcc gives them copies of the same
// constants.
bool in_read_only_image(uintptr_t address);

}  // namespace cudacpu
