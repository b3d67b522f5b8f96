// The __device__, __constant__ and __managed__ variables of the program. The translated code
// registers them: see DeviceVariable in cudacpu/runtime.h.
#pragma once

#include "cudacpu/runtime.h"

namespace cudacpu {

const DeviceVariable* device_variables();  // the list of all
// Returns the variable that holds `address`, or null.
const DeviceVariable* find_variable(const void* address);
// The same for the memory that stands for it on the host: see host_copy_of() in
// cudacpu/symbol_api.h.
const DeviceVariable* find_variable_on_host(const void* address);

}  // namespace cudacpu
