// The parts of the program and its libraries that cannot be written: literals, constants, tables
// of virtual functions.
#pragma once

#include <cstdint>

namespace cudacpu {

// Reads again which files are loaded; to be called when a launch begins.
void refresh_read_only_image();
// Whether the address was read-only at the last refresh. Kernels may read constants of the host:
// nvcc gives kernels copies.
bool in_read_only_image(uintptr_t address);

}  // namespace cudacpu
