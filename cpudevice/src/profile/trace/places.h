// Addresses as a profile records them: the same in each run, wherever the system loads the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/trace/event.h"
#include "profile/trace/recorder.h"

namespace cudacpu::profile {

// Places in device memory count from the beginning of the arena; __device__ variables follow, in
// the order of the loaded file.
constexpr uint64_t kVariables = uint64_t{1} << 44;
// Host memory that the program registered, from its first byte on.
constexpr uint64_t kRegistered = uint64_t{1} << 45;

// The range of all possible addresses of allocations.
AddressRange arena_addresses();
// Gives the program's variables their places, and returns the range of all variables.
AddressRange place_variables();
// Finds the profile's place for the __device__ or __constant__ variable that holds `address`:
// aligned as on a GPU, whatever the host's linker does. Returns false without a variable.
bool locate_variable(uintptr_t address, Space* space, uint64_t* place);

// Returns where the allocation or variable that holds the profile's address begins.
uint64_t allocation_base(uint64_t address);

}  // namespace cudacpu::profile
