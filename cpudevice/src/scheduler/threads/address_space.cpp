// Finds the memory space of an address, __isShared and similar functions, and the shared memory of
// other blocks of a cluster.
#include <string_view>

#include "cudacpu/device/memory_access.h"
#include "driver_types.h"
#include "memory/variables.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {
namespace {

const BlockMemory& memory_of_block() {
  return context.worker->block->memory;
}

}  // namespace

bool is_shared(const void* pointer) {
  return in_kernel() && memory_of_block().has(pointer);
}

bool is_constant(const void* pointer) {
  const DeviceVariable* variable = find_variable(pointer);
  return variable && variable->kind == std::string_view("__constant__");
}

// Local variables are on the running fiber's stack.
bool is_local(const void* pointer) {
  return in_kernel() && running_fiber().has(pointer);
}

// The 32-bit offset from the start of shared memory, which is what a shared-space address is on a
// GPU. The shared variables of functions lie after all shared memory that a kernel can have.
constexpr size_t kFunctionShared = size_t{1} << 24;

size_t shared_offset(const void* pointer) {
  const auto* const place = static_cast<const char*>(pointer);
  if (in_kernel()) {
    const SharedRange& functions = memory_of_block().of_functions();
    if (functions.has(pointer))
      return kFunctionShared + static_cast<size_t>(place - functions.begin);
  }
  return static_cast<size_t>(place - context.shared);
}

void* shared_pointer(size_t offset) {
  if (offset >= kFunctionShared && offset < 2 * kFunctionShared && in_kernel())
    return memory_of_block().of_functions().begin + (offset - kFunctionShared);
  // An address before the start is a negative number of 32 bits.
  return context.shared + static_cast<int>(offset);
}

bool has_clusters() {
  return context.worker && context.worker->launch->cluster_blocks > 1;
}

ClusterPlace place_in_cluster() {
  if (!has_clusters()) return {{1, 1, 1}, {0, 0, 0}};
  const dim3 size = context.worker->launch->cluster;
  return {size, {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z}};
}

void* shared_of_block(const void* pointer, unsigned rank) {
  const auto* const place = static_cast<const char*>(pointer);
  if (!in_kernel()) return nullptr;
  const Block& block = *context.worker->block;
  if (rank >= (block.cluster ? block.cluster->blocks().size() : 1))
    kernel_trap(cudaErrorInvalidValue, "asks for the shared memory of a block beyond its cluster");
  if (!block.cluster) return const_cast<char*>(place);
  const auto& blocks = block.cluster->blocks();
  // The address may already be in another block's memory.
  const int owner = block_of_shared(pointer);
  const BlockMemory &from = (owner < 0 ? &block : blocks[owner])->memory,
                    &to = blocks[rank]->memory;
  if (from.of_functions().has(place))
    return to.of_functions().begin + (place - from.of_functions().begin);
  return to.of_kernel().begin + (place - from.of_kernel().begin);
}

int block_of_shared(const void* pointer) {
  if (!in_kernel()) return -1;
  const Block& block = *context.worker->block;
  if (!block.cluster) return block.memory.has(pointer) ? 0 : -1;
  const auto& blocks = block.cluster->blocks();
  for (size_t rank = 0; rank < blocks.size(); ++rank) {
    if (blocks[rank]->memory.has(pointer)) return static_cast<int>(rank);
  }
  return -1;
}

}  // namespace cudacpu
