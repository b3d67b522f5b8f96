// Where __shared__ variables lie: each kernel's, and those of device functions.
#pragma once

#include <cstddef>

namespace cudacpu {

// Bytes of all __shared__ variables of device functions, which reserve_shared() of
// cudacpu/launch.h adds up.
size_t function_shared_size();

}  // namespace cudacpu
