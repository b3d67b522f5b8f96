// Memory of the program: __device__, __constant__ and __managed__ variables.
#pragma once

#include <cstdint>

#include "cudacpu/runtime.h"
#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

struct VariableRegion {
  Region region;
  const DeviceVariable* variable;
};
// All variables lie in [variables_begin, variables_end).
extern uintptr_t variables_begin, variables_end;
VariableRegion* find_variable_region(uintptr_t address);
inline VariableRegion* variable_region(uintptr_t address) {
  return address < variables_begin || address >= variables_end ? nullptr
                                                               : find_variable_region(address);
}

// Looks for __device__, __constant__ and __managed__ variables of files that were loaded since the
// last call. To be called before the host may use them.
void find_new_variables();
// To be called when a launch begins: finds the memory besides device memory that the launch may
// use.
void refresh_address_ranges();

}  // namespace cudacpu::sanitize
