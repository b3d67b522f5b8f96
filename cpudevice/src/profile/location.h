// Addresses as the profile sees them: the same in each run, wherever the system puts things.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudacpu::profile {

// Device memory counts from the beginning of the arena; __device__ variables come behind it, in the
// order of the loaded file.
constexpr uint64_t kVariables = uint64_t{1} << 44;
// Host memory that the program registered, from the first of it on.
constexpr uint64_t kRegistered = uint64_t{1} << 45;

// Where the allocation or variable begins that holds this address of the profile's.
uint64_t allocation_base(uint64_t address);

}  // namespace cudacpu::profile
