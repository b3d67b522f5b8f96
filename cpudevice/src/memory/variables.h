// The __device__, __constant__ and __managed__ variables of the program. The translated code
// registers them: see DeviceVariable in cudacpu/runtime.h.
#pragma once

#include "cudacpu/runtime.h"

namespace cudacpu {

const DeviceVariable* device_variables();  // the list of all
// Returns the variable that holds `address`, or null.
const DeviceVariable* find_variable(const void* address);

}  // namespace cudacpu
