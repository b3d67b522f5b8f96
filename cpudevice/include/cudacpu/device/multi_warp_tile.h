// Tiles of several warps, which meet in shared memory of the program.
#pragma once

#include "../../cooperative_groups.h"

namespace cooperative_groups {

template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  static constexpr unsigned kMostTiles = MaxBlockSize < 64 ? 1 : MaxBlockSize / 64;
  unsigned arrived[kMostTiles], phase[kMostTiles];
  unsigned long long values[MaxBlockSize];  // of a reduce()
};

// A block with memory for tiles of several warps.
template <unsigned int MaxBlockSize>
class thread_block_with_memory : public thread_block {
 public:
  CUDACPU_DEVICE thread_block_with_memory(const thread_block& block,
                                          block_tile_memory<MaxBlockSize>& memory)
      : thread_block(block), memory_(&memory) {}
  CUDACPU_DEVICE block_tile_memory<MaxBlockSize>& memory() const { return *memory_; }

 private:
  block_tile_memory<MaxBlockSize>* memory_;
};

template <unsigned int MaxBlockSize>
CUDACPU_DEVICE thread_block_with_memory<MaxBlockSize> this_thread_block(
    block_tile_memory<MaxBlockSize>& memory) {
  const thread_block block = this_thread_block();
  if (block.thread_rank() < block_tile_memory<MaxBlockSize>::kMostTiles)
    memory.arrived[block.thread_rank()] = memory.phase[block.thread_rank()] = 0;
  block.sync();
  return {block, memory};
}

template <unsigned int Size, unsigned int MaxBlockSize>
class multi_warp_tile {
  static_assert(Size > 32 && (Size & (Size - 1)) == 0 && Size <= MaxBlockSize,
                "a tile of several warps has 64, 128, 256, 512 or 1024 threads");

 public:
  CUDACPU_DEVICE explicit multi_warp_tile(block_tile_memory<MaxBlockSize>& memory)
      : memory_(&memory) {}
  CUDACPU_DEVICE static unsigned int thread_rank() { return cudacpu::linear_thread() % Size; }
  CUDACPU_DEVICE static unsigned int meta_group_rank() { return cudacpu::linear_thread() / Size; }
  CUDACPU_DEVICE static unsigned int meta_group_size() {
    return (details::block_threads() + Size - 1) / Size;
  }
  CUDACPU_DEVICE static constexpr unsigned int size() { return Size; }
  CUDACPU_DEVICE static constexpr unsigned int num_threads() { return Size; }

  CUDACPU_DEVICE void sync() const {
    unsigned* const arrived = &memory_->arrived[meta_group_rank()];
    unsigned* const phase = &memory_->phase[meta_group_rank()];
    __threadfence_block();
    const unsigned now = __atomic_load_n(phase, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL) == Size) {
      __atomic_store_n(arrived, 0, __ATOMIC_RELAXED);
      __atomic_store_n(phase, now + 1, __ATOMIC_RELEASE);
    } else {
      while (__atomic_load_n(phase, __ATOMIC_ACQUIRE) == now)
        cudacpu::yield();
    }
    __threadfence_block();
  }
  // The tile's places for a value of each thread.
  CUDACPU_DEVICE unsigned long long* values() const {
    return memory_->values + meta_group_rank() * Size;
  }

 private:
  block_tile_memory<MaxBlockSize>* memory_;
};

template <unsigned int Size, unsigned int MaxBlockSize>
CUDACPU_DEVICE auto tiled_partition(const thread_block_with_memory<MaxBlockSize>& block) {
  if constexpr (Size > 32) {
    return multi_warp_tile<Size, MaxBlockSize>(block.memory());
  } else {
    return tiled_partition<Size>(static_cast<const thread_block&>(block));
  }
}

}  // namespace cooperative_groups
