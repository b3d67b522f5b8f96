// The stacks on which CUDA threads run: pooled per worker, each with a guard page below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cudacpu/stack_switch.h"

namespace cudacpu {

struct Fiber {
  char* stack_top;  // coloured: see FiberPool::grow
  size_t stack_bytes;
  char* lowest;  // address to which the stack has grown
  bool has(const void* address) const {
    return address < stack_top && address >= stack_top - stack_bytes;
  }
};

// The fibers of one worker, taken and returned in last-in, first-out order, so that stacks in the
// cache are used again.
class FiberPool {
 public:
  ~FiberPool();
  Fiber* take() {
    if (free_.empty()) grow();
    Fiber* fiber = free_.back();
    free_.pop_back();
    return fiber;
  }
  void give(Fiber* fiber) { free_.push_back(fiber); }
  // The fiber that take() would return; null if the pool has to grow.
  const Fiber* next() const { return free_.empty() ? nullptr : free_.back(); }
  // Takes all fibers back, whatever their threads were doing, after a launch was abandoned.
  void reset();
  // Frees all stacks; later stacks have room for `bytes`.
  void set_stack_bytes(size_t bytes);
  // Makes the stacks larger if copies of a kernel's arguments would fill a large part of a stack.
  void make_room_for_arguments(size_t bytes);
  // Called by a signal handler: extends a stack down to an address below the part used so far.
  // Returns false if the address belongs to no stack, or is past the stack's end.
  bool grow_stack(const void* address) const;
  // Extends a stack by the bytes that a signal's handler needs below the stack pointer, up to the
  // limit. Returns false if the stack had these bytes.
  bool make_room_for_signal(const void* stack_pointer) const;
  bool in_guard_page(const void* address) const;
  bool owns(const void* address) const;  // on any of the stacks

 private:
  void grow();
  Fiber* fiber_of(const void* address) const;  // null in a guard page and outside of the stacks

  struct Chunk {
    char* base;
    size_t bytes;
    bool guarded;   // each stack has a guard page and grows
    size_t first;   // stack of the chunk: its place in all_
    size_t stride;  // between stacks, in bytes
  };
  const Chunk* chunk_of(const void* address) const;  // null if the address is on no stack
  void unmap_chunks();
  size_t stack_bytes_ = 0;     // 0: the default
  size_t argument_bytes_ = 0;  // included in stack_bytes_
  std::vector<Chunk> chunks_;
  mutable size_t last_owner_ = 0;  // the chunk of the address before
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
};

// Makes a stack on which `kEntry` starts at the first switch to the stack.
template <void (*kEntry)()>
inline StackPointer make_stack(char* top) {
  auto* words = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15}) - 4;
  words[kAddressWord] = reinterpret_cast<uint64_t>(kEntry);
  words[kFrameWord] = 0;  // 0 ends unwinding; on x86-64 it is the return address as well
  return words;
}

}  // namespace cudacpu
