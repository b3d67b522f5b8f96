// The parts of the program and its libraries that cannot be written: literals, constants, tables
// of virtual functions.
#pragma once

#include <cstdint>

namespace cudacpu {

// Looks again which files are loaded; call it when a launch begins.
void refresh_read_only_image();
// As it was then. Kernels may read there: nvcc gives them copies of the same constants.
bool in_read_only_image(uintptr_t address);

}  // namespace cudacpu
