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
  char* lowest;  // of what the stack has grown to
};

// The fibers of one worker. They are taken and returned in last-in, first-out order, so that stacks
// that are in the cache are used again.
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
  // The fiber that take() would return, if there is one.
  const Fiber* next() const { return free_.empty() ? nullptr : free_.back(); }
  // Takes all fibers back, whatever they were doing, after a launch was abandoned.
  void reset();
  // Frees all stacks; the next ones have room for `bytes`.
  void set_stack_bytes(size_t bytes);
  // Makes the stacks larger if copies of a kernel's arguments would fill a large part of one.
  void make_room_for_arguments(size_t bytes);
  // Called by a signal handler: extends a stack down to an address below the part used so far.
  // Returns false if the address belongs to no stack, or is past its end.
  bool grow_stack(const void* address) const;
  // Extends a stack by the bytes that a signal's handler needs below its pointer, up to the limit.
  // Returns false if they were there.
  bool make_room_for_signal(const void* stack_pointer) const;
  bool in_guard_page(const void* address) const;
  bool owns(const void* address) const;  // is it on one of the stacks?

 private:
  void grow();
  Fiber* fiber_of(const void* address) const;  // on whose stack it is; null in a guard page

  struct Chunk {
    char* base;
    size_t bytes;
    bool guarded;   // each stack has a guard page and grows
    size_t first;   // of its stacks, in all_
    size_t stride;  // of its stacks, in bytes
  };
  const Chunk* chunk_of(const void* address) const;  // null if the address is on no stack
  void unmap_chunks();
  size_t stack_bytes_ = 0;     // 0: the default
  size_t argument_bytes_ = 0;  // included in them
  std::vector<Chunk> chunks_;
  mutable size_t last_owner_ = 0;  // the chunk that was found last
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
};

// Makes a stack on which `kEntry` starts when it is first switched to.
template <void (*kEntry)()>
inline StackPointer make_stack(char* top) {
  auto* words = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15}) - 4;
  words[kAddressWord] = reinterpret_cast<uint64_t>(kEntry);
  words[kFrameWord] = 0;  // 0 ends unwinding; on x86-64 it is the return address as well
  return words;
}

}  // namespace cudacpu
