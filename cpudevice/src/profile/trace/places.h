// Addresses as a profile records them: the same in each run, wherever the system puts the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/trace/event.h"
#include "profile/trace/recorder.h"

namespace cudacpu::profile {

// Places in device memory count from the beginning of the arena; __device__ variables follow it, in
// the order of the loaded file.
constexpr uint64_t kVariables = uint64_t{1} << 44;
// Host memory that the program registered, from the first of it on.
constexpr uint64_t kRegistered = uint64_t{1} << 45;

// The range of all addresses that allocations may have.
AddressRange arena_addresses();
// Gives the program's variables their places, and returns the range that holds them all.
AddressRange place_variables();
// Finds the place that the profile gives to the __device__ or __constant__ variable that holds
// `address`: aligned as on a GPU, whatever the host's linker does. Returns false if there is none.
bool locate_variable(uintptr_t address, Space* space, uint64_t* place);

// Returns where the allocation or variable begins that holds this address of the profile.
uint64_t allocation_base(uint64_t address);

}  // namespace cudacpu::profile
