// What the programs about cuBLAS share.
#pragma once

#include <cublas_v2.h>

#include "../../cpudevice/run/check.h"

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)
