// Kernels by pointer: launches, attributes, occupancy.
#include <algorithm>
#include <map>
#include <mutex>

#include "api.h"
#include "cudacpu/kernel_api.h"

namespace cudacpu {
namespace {

// The CPU device counts no registers: enough for full occupancy, which shared memory and block size
// then limit.
constexpr int kAssumedRegisters = 32;
constexpr int kVirtualArchitecture = 80;
constexpr size_t kReservedShared = 1024;
constexpr size_t kSharedGranularity = 128;

cudaError_t check_kernel(const KernelInfo* info, const char* function) {
  if (info) return cudaSuccess;
  explain("%s: the pointer does not say which kernel it is; pass the kernel's name", function);
  return cudaErrorInvalidDeviceFunction;
}

// The kernels of which a program keeps untyped pointers.
struct KnownKernels {
  std::mutex mutex;
  std::map<const void*, KernelHandle> by_address;
};
KnownKernels& known_kernels() {
  static auto* known = new KnownKernels;
  return *known;
}

cudaError_t launch(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                   void** arguments, const char* function) {
  const cudaError_t error = api([&] {
    if (cudaError_t error = check_kernel(kernel.info, function)) return error;
    return check_stream(static_cast<cudaStream_t>(configuration.stream), function);
  });
  if (error != cudaSuccess) return error;
  return static_cast<cudaError_t>(launch_handle(kernel, configuration, arguments));
}

}  // namespace

void remember_kernel(const KernelHandle& kernel) {
  KnownKernels& known = known_kernels();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.by_address[reinterpret_cast<const void*>(kernel.kernel)] = kernel;
}

KernelHandle find_kernel(const void* kernel) {
  KnownKernels& known = known_kernels();
  std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.by_address.find(kernel);
  return found == known.by_address.end() ? KernelHandle{} : found->second;
}

cudaError_t launch_kernel(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                          void** arguments, const char* function) {
  return launch(kernel, configuration, arguments, function);
}

cudaError_t launch_kernel(const KernelHandle& kernel, const cudaLaunchConfig_t* c,
                          void** arguments) {
  bool cooperative = false;
  const cudaError_t error = api([&] {
    if (!c || (c->numAttrs && !c->attrs)) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < c->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = c->attrs[i];
      if (attribute.id == cudaLaunchAttributeCooperative)
        cooperative = attribute.val.cooperative != 0;
      const auto& cluster = attribute.val.clusterDim;
      if (attribute.id == cudaLaunchAttributeClusterDimension &&
          (cluster.x > 1 || cluster.y > 1 || cluster.z > 1)) {
        explain("cudaLaunchKernelEx: the CPU device has no thread block clusters");
        return cudaErrorNotSupported;
      }
    }
    return cudaSuccess;
  });
  if (error != cudaSuccess) return error;
  return launch(kernel, {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream, cooperative},
                arguments, "cudaLaunchKernelEx");
}

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

cudaError_t active_blocks(int* blocks, KernelInfo* info, int block_size,
                          size_t dynamic_shared_bytes) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaOccupancyMaxActiveBlocksPerMultiprocessor"))
      return error;
    if (!blocks || block_size <= 0) return cudaErrorInvalidValue;
    *blocks =
        blocks_per_multiprocessor(*info, static_cast<unsigned>(block_size), dynamic_shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t available_shared(size_t* bytes, KernelInfo* info, int blocks, int block_size) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaOccupancyAvailableDynamicSMemPerBlock"))
      return error;
    if (!bytes || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
    const size_t share = (kSharedOptInLimit + kReservedShared) / static_cast<size_t>(blocks);
    const size_t most = share > kReservedShared
                            ? (share - kReservedShared) / kSharedGranularity * kSharedGranularity
                            : 0;
    *bytes =
        most > info->static_shared ? std::min(most, kSharedOptInLimit) - info->static_shared : 0;
    return cudaSuccess;
  });
}

cudaError_t best_block_size(int* min_grid_size, int* block_size, KernelInfo* info,
                            size_t (*shared_bytes_of)(const void* context, int block_size),
                            const void* context, int block_size_limit) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaOccupancyMaxPotentialBlockSize")) return error;
    if (!min_grid_size || !block_size) return cudaErrorInvalidValue;
    const int limit =
        block_size_limit > 0 ? std::min(block_size_limit, info->max_threads) : info->max_threads;
    int best_threads = 0;
    *block_size = *min_grid_size = 0;
    // From the largest: of equally good sizes CUDA names the largest.
    for (int size = limit; size > 0; size = (size - 1) / 32 * 32) {
      const int blocks = blocks_per_multiprocessor(*info, static_cast<unsigned>(size),
                                                   shared_bytes_of(context, size));
      if (blocks * size <= best_threads) continue;
      best_threads = blocks * size;
      *block_size = size;
      *min_grid_size = blocks * kMultiprocessors;
    }
    return cudaSuccess;
  });
}

}  // namespace cudacpu
