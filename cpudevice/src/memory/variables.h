// The __device__, __constant__ and __managed__ variables of the program. The translated code
// registers each variable: see DeviceVariable in cudacpu/runtime.h.
#pragma once

#include "cudacpu/runtime.h"

namespace cudacpu {

const DeviceVariable* device_variables();  // the head of the list
// Returns the variable that holds `address`, or null.
const DeviceVariable* find_variable(const void* address);
// Returns the variable whose memory on the host holds `address`, or null: see host_copy_of() in
// cudacpu/symbol_api.h.
const DeviceVariable* find_variable_on_host(const void* address);

}  // namespace cudacpu
