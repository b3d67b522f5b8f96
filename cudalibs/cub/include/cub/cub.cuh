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

#include "../cudacpu/cub/block_adjacent_difference.h"
#include "../cudacpu/cub/block_discontinuity.h"
#include "../cudacpu/cub/block_run_length_decode.h"
#include "../cudacpu/cub/block_shuffle.h"
#include "../cudacpu/cub/device/device_adjacent_difference.h"
#include "../cudacpu/cub/device/device_copy.h"
#include "../cudacpu/cub/device/device_histogram.h"
#include "../cudacpu/cub/device/device_merge.h"
#include "../cudacpu/cub/device/device_segmented_sort.h"
#include "../cudacpu/cub/device/device_transform.h"
#include "../cudacpu/cub/iterators.h"
#include "../cudacpu/cub/merge_sort.h"
#include "../cudacpu/cub/traits.h"
#include "../cudacpu/cub/warp_tiles.h"
#include "cuda/functional"
#include "cuda/std/functional"
#include "cuda/std/tuple"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
