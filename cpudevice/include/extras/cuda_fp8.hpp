// <cuda_fp8.hpp>
#pragma once

#include "cuda_fp8.h"
