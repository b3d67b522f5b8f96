// Direction numbers of Sobol's sequences.
#pragma once

#include "curand.h"

namespace cudacpu {

constexpr unsigned kSobolDimensions = 20;

// The tables of all dimensions, computed at the first call.
curandDirectionVectors32_t* sobol_directions_32();
curandDirectionVectors64_t* sobol_directions_64();

}  // namespace cudacpu
