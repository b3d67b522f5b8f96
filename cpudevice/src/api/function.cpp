// The attributes of kernels.
#include <algorithm>

#include "api/kernel_lookup.h"
#include "base/call.h"
#include "cudacpu/kernel_api.h"

namespace cudacpu {
namespace {

// The CPU device does not count registers. The reported number is low enough for full occupancy, so
// that only shared memory and the block size limit the occupancy.
constexpr int kAssumedRegisters = 32;
constexpr int kVirtualArchitecture = 80;

}  // namespace

cudaError_t get_attributes(cudaFuncAttributes* attributes, KernelInfo* info) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaFuncGetAttributes")) return error;
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->sharedSizeBytes = info->static_shared;
    attributes->maxThreadsPerBlock = info->max_threads;
    attributes->numRegs = kAssumedRegisters;
    attributes->ptxVersion = attributes->binaryVersion = kVirtualArchitecture;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(
        std::max(info->max_dynamic_shared, kStaticSharedLimit - info->static_shared));
    attributes->preferredShmemCarveout = info->carveout;
    attributes->clusterDimMustBeSet = 0;
    attributes->requiredClusterWidth = static_cast<int>(info->cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(info->cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(info->cluster.z);
    attributes->nonPortableClusterSizeAllowed = info->large_clusters;
    return cudaSuccess;
  });
}

cudaError_t set_attribute(KernelInfo* info, cudaFuncAttribute attribute, int value) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaFuncSetAttribute")) return error;
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || static_cast<size_t>(value) + info->static_shared > kSharedOptInLimit) {
          explain(
              "cudaFuncSetAttribute: %s with %zu static bytes can have at most %zu dynamic ones, "
              "not %d",
              info->name, info->static_shared, kSharedOptInLimit - info->static_shared, value);
          return cudaErrorInvalidValue;
        }
        info->max_dynamic_shared = static_cast<size_t>(value);
        return cudaSuccess;
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        info->carveout = value;
        return cudaSuccess;
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        info->large_clusters = value != 0;
        return cudaSuccess;
      default:
        return cudaErrorNotSupported;
    }
  });
}

cudaError_t get_name(const char** name, KernelInfo* info) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaFuncGetName")) return error;
    if (!name) return cudaErrorInvalidValue;
    *name = info->name;
    return cudaSuccess;
  });
}

cudaError_t accept_kernel(KernelInfo* info, const char* function) {
  return api([&] { return check_kernel(info, function); });
}

}  // namespace cudacpu
