#include "scheduler/launch/configuration.h"

#include <stdarg.h>
#include <stdio.h>

#include <algorithm>

#include "base/error.h"
#include "driver_types.h"
#include "scheduler/launch/block_size.h"

namespace cudacpu {
namespace {

constexpr unsigned kMaxBlockX = 1024, kMaxBlockY = 1024, kMaxBlockZ = 64;
constexpr unsigned kMaxGridX = INT32_MAX, kMaxGridY = 65535, kMaxGridZ = 65535;

uint64_t volume(dim3 extent) {
  return uint64_t{extent.x} * extent.y * extent.z;
}

// Returns the error and prints why; prints nothing if a kernel launches, whose stack is too small
// to print.
__attribute__((format(printf, 3, 4))) int refuse(int error, const KernelInfo& info,
                                                 const char* format, ...) {
  if (in_kernel()) return error;
  char reason[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof(reason), format, arguments);
  va_end(arguments);
  explain("%s (%s:%d) is not launched: %s", info.name, info.file, info.line, reason);
  return error;
}

int check_extents(const KernelInfo& info, dim3 grid, dim3 block) {
  const int error = cudaErrorInvalidConfiguration;
  if (volume(grid) == 0) {
    return refuse(error, info,
                  "a grid of %u x %u x %u has no blocks: if there is nothing to do, do not launch",
                  grid.x, grid.y, grid.z);
  }
  if (volume(block) == 0) {
    return refuse(error, info, "a block of %u x %u x %u has no threads", block.x, block.y, block.z);
  }
  if (block.x > kMaxBlockX || block.y > kMaxBlockY || block.z > kMaxBlockZ ||
      volume(block) > kMaxBlockThreads) {
    return refuse(
        error, info,
        "a block of %u x %u x %u has %llu threads; a GPU takes at most %u, and %u x %u x %u",
        block.x, block.y, block.z, static_cast<unsigned long long>(volume(block)), kMaxBlockThreads,
        kMaxBlockX, kMaxBlockY, kMaxBlockZ);
  }
  if (grid.x > kMaxGridX || grid.y > kMaxGridY || grid.z > kMaxGridZ) {
    return refuse(error, info,
                  "a grid of %u x %u x %u blocks is too large; a GPU takes at most %u x %u x %u",
                  grid.x, grid.y, grid.z, kMaxGridX, kMaxGridY, kMaxGridZ);
  }
  return cudaSuccess;
}

int check_shared(const KernelInfo& info, size_t dynamic_bytes) {
  const int error = cudaErrorInvalidValue;
  if (info.static_shared > kStaticSharedLimit) {
    return refuse(error, info,
                  "it has %zu bytes of __shared__ arrays and may have %zu; for more use extern "
                  "__shared__ and the launch's third number",
                  info.static_shared, kStaticSharedLimit);
  }
  const size_t most = std::max(info.max_dynamic_shared, kStaticSharedLimit - info.static_shared);
  if (dynamic_bytes > most) {
    return refuse(
        error, info,
        "it asks for %zu bytes of dynamic shared memory and may have %zu; "
        "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) "
        "allows up to %zu",
        dynamic_bytes, most, kSharedOptInLimit - info.static_shared);
  }
  return cudaSuccess;
}

int check_cluster(const KernelInfo& info, const LaunchConfiguration& c, unsigned threads) {
  const dim3 size = cluster_of(info, c);
  const uint64_t blocks = volume(size);
  if (blocks == 1) return cudaSuccess;
  if (info.cluster.x && c.cluster.x &&
      (info.cluster.x != c.cluster.x || info.cluster.y != c.cluster.y ||
       info.cluster.z != c.cluster.z)) {
    return refuse(cudaErrorInvalidClusterSize, info,
                  "its __cluster_dims__ are %u x %u x %u, and the launch asks for %u x %u x %u",
                  info.cluster.x, info.cluster.y, info.cluster.z, size.x, size.y, size.z);
  }
  const unsigned most = info.large_clusters ? kMostCluster : kPortableCluster;
  if (blocks == 0 || blocks > most) {
    return refuse(cudaErrorInvalidClusterSize, info,
                  "a cluster of %u x %u x %u has %llu blocks; it may have at most %u, and %u after "
                  "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)",
                  size.x, size.y, size.z, static_cast<unsigned long long>(blocks), most,
                  kMostCluster);
  }
  if (c.grid.x % size.x || c.grid.y % size.y || c.grid.z % size.z) {
    return refuse(cudaErrorInvalidClusterSize, info,
                  "a grid of %u x %u x %u blocks is not made of whole clusters of %u x %u x %u",
                  c.grid.x, c.grid.y, c.grid.z, size.x, size.y, size.z);
  }
  const int resident = kMultiprocessors * blocks_per_multiprocessor(info, threads, c.shared_bytes);
  if (blocks > static_cast<unsigned>(resident)) {
    return refuse(cudaErrorInvalidClusterSize, info,
                  "a cluster of %llu blocks, of which %d can be resident at a time",
                  static_cast<unsigned long long>(blocks), resident);
  }
  return cudaSuccess;
}

}  // namespace

dim3 cluster_of(const KernelInfo& info, const LaunchConfiguration& c) {
  const uint3 size = c.cluster.x ? c.cluster : info.cluster;
  return size.x ? dim3(size.x, size.y, size.z) : dim3(1, 1, 1);
}

int check_configuration(const KernelInfo& info, const LaunchConfiguration& c) {
  if (int error = check_extents(info, c.grid, c.block)) return error;
  const auto threads = static_cast<unsigned>(volume(c.block));
  if (threads > static_cast<unsigned>(info.max_threads)) {
    return refuse(cudaErrorInvalidValue, info,
                  "a block has %u threads, but its __launch_bounds__ allow at most %d", threads,
                  info.max_threads);
  }
  if (int error = check_shared(info, c.shared_bytes)) return error;
  if (int error = check_cluster(info, c, threads)) return error;
  if (!c.cooperative) return cudaSuccess;
  const uint64_t room =
      uint64_t{kMultiprocessors} *
      static_cast<uint64_t>(blocks_per_multiprocessor(info, threads, c.shared_bytes));
  if (volume(c.grid) > room) {
    return refuse(cudaErrorCooperativeLaunchTooLarge, info,
                  "a cooperative grid of %llu blocks, of which %llu can be resident at a time",
                  static_cast<unsigned long long>(volume(c.grid)),
                  static_cast<unsigned long long>(room));
  }
  return cudaSuccess;
}

int blocks_per_multiprocessor(const KernelInfo& info, unsigned threads, size_t dynamic_bytes) {
  constexpr size_t kSharedPerMultiprocessor = 228 * 1024;
  constexpr size_t kSystemShared = 1024;  // of each block
  constexpr size_t kGranularity = 128;
  unsigned warps = (threads + kWarpSize - 1) / kWarpSize;
  if (warps == 0 || threads > static_cast<unsigned>(info.max_threads)) return 0;
  size_t bytes =
      (info.static_shared + dynamic_bytes + kGranularity - 1) / kGranularity * kGranularity;
  if (bytes > kSharedOptInLimit) return 0;
  size_t blocks = kThreadsPerMultiprocessor / kWarpSize / warps;
  blocks = std::min<size_t>(blocks, kBlocksPerMultiprocessor);
  return static_cast<int>(std::min(blocks, kSharedPerMultiprocessor / (bytes + kSystemShared)));
}

}  // namespace cudacpu
