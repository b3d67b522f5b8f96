// Accesses that a GPU does not allow: of kernels to host memory, of the host to device memory. Ends
// the launch, or the program, as a GPU would.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/trace/recorder.h"

namespace cudacpu::profile {

// To be called when a launch begins: finds which addresses are the run-time library's own.
void find_own_memory();

// A kernel's thread uses an address that is neither device memory, nor shared, nor registered.
// Returns if the address belongs to the CPU device's own way to run kernels: a stack, an argument,
// a constant of the program.
void check_kernel_access(uintptr_t address, bool write);
// Ends the launch after a write to a __constant__ variable, which kernels only read.
[[noreturn]] void stop_constant_write();

// The host uses an address of the arena, or of a variable. Returns only if the host may do so.
void check_host_access(uintptr_t address, size_t bytes, bool write, uintptr_t caller);
// The variables of the whole program, with the graded file's; empty unless a file is graded.
extern AddressRange program_variables;
// Sets program_variables.
void find_program_variables();
// The host writes to a variable of the program, or to the recorder's. Returns if the variable is
// the graded file's own; no other code may change variables that count or time.
void check_variable_write(uintptr_t address, uintptr_t caller);
// check_variable_write() for any address, in few instructions.
inline void check_host_write(uintptr_t address, uintptr_t caller) {
  if (program_variables.has(address) ||
      address - reinterpret_cast<uintptr_t>(&recorder) < sizeof(Recorder)) {
    check_variable_write(address, caller);
  }
}
// To be called when an allocation of the arena has been freed: earlier results no longer hold.
void forget_host_ranges();

}  // namespace cudacpu::profile
