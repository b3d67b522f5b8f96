#include "streams/graph_memory.h"

#include <map>
#include <mutex>

#include "memory/arena.h"

namespace cudacpu {
namespace {

std::mutex memory_mutex;
std::map<const void*, size_t>& memory() {
  static auto* blocks = new std::map<const void*, size_t>;
  return *blocks;
}

}  // namespace

bool is_graph_memory(const void* pointer) {
  std::lock_guard<std::mutex> lock(memory_mutex);
  return memory().count(pointer) != 0;
}

std::shared_ptr<void> allocate_for_graph(size_t bytes) {
  void* pointer =
      bytes ? allocate(bytes, MemoryKind::kDevice, "cudaGraphAddMemAllocNode") : nullptr;
  if (!pointer) return nullptr;
  std::lock_guard<std::mutex> lock(memory_mutex);
  memory()[pointer] = bytes;
  return {pointer, [](void* p) {
            {
              std::lock_guard<std::mutex> guard(memory_mutex);
              memory().erase(p);
            }
            release(p, false, "cudaGraphDestroy");
          }};
}

CUgraphNode_st::Action holding(std::shared_ptr<void> block) {
  return [block](cudaStream_t) { return cudaSuccess; };
}

cudaError_t capture_allocation(cudaStream_t stream, void** pointer, size_t bytes) {
  const std::shared_ptr<void> block = allocate_for_graph(bytes);
  if (!block) return cudaErrorMemoryAllocation;
  *pointer = block.get();
  capture(stream, cudaGraphNodeTypeMemAlloc, holding(block));
  return cudaSuccess;
}

size_t graph_memory_in_use() {
  std::lock_guard<std::mutex> lock(memory_mutex);
  size_t bytes = 0;
  for (const auto& [pointer, size] : memory())
    bytes += size;
  return bytes;
}

}  // namespace cudacpu
