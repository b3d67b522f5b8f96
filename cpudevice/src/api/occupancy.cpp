// Occupancy: how many blocks of a kernel a multiprocessor holds.
#include <algorithm>

#include "api/kernel_lookup.h"
#include "base/call.h"
#include "cudacpu/kernel_api.h"
#include "scheduler/launch/configuration.h"

namespace cudacpu {
namespace {

constexpr size_t kSharedGranularity = 128;

}  // namespace

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

namespace {

int resident_blocks(const KernelInfo& info, const cudaLaunchConfig_t& c) {
  return kMultiprocessors * blocks_per_multiprocessor(info,
                                                      c.blockDim.x * c.blockDim.y * c.blockDim.z,
                                                      c.dynamicSmemBytes);
}

}  // namespace

cudaError_t active_clusters(int* clusters, KernelInfo* info, const cudaLaunchConfig_t* c) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaOccupancyMaxActiveClusters")) return error;
    if (!clusters || !c || (c->numAttrs && !c->attrs)) return cudaErrorInvalidValue;
    LaunchConfiguration configuration{c->gridDim, c->blockDim, c->dynamicSmemBytes,
                                      c->stream,  false,       {}};
    for (unsigned i = 0; i < c->numAttrs; ++i) {
      const auto& size = c->attrs[i].val.clusterDim;
      if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
        configuration.cluster = {size.x, size.y, size.z};
    }
    if (int error = check_configuration(*info, configuration))
      return static_cast<cudaError_t>(error);
    const dim3 size = cluster_of(*info, configuration);
    *clusters = resident_blocks(*info, *c) / static_cast<int>(size.x * size.y * size.z);
    return cudaSuccess;
  });
}

cudaError_t largest_cluster(int* blocks, KernelInfo* info, const cudaLaunchConfig_t* c) {
  return api([&] {
    if (cudaError_t error = check_kernel(info, "cudaOccupancyMaxPotentialClusterSize"))
      return error;
    if (!blocks || !c) return cudaErrorInvalidValue;
    const unsigned most = info->large_clusters ? kMostCluster : kPortableCluster;
    *blocks = std::min(static_cast<int>(most), resident_blocks(*info, *c));
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
    // Starts with the largest size, because CUDA returns the largest of equally good sizes.
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
