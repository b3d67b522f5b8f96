// <cub/cub.cuh>
#pragma once

// Programs rely on what NVIDIA's CUB brings along.
#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../cudacpu/cub/device.h"
