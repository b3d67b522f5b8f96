// Asynchronous copies from and to memory of cudaHostRegister that the host has not waited for. Such
// memory is any of the program's, and has no shadow.
//
// They have a mutex of their own, which is never held while a kernel runs: the kernel may wait for
// the host thread that asks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cudacpu::sanitize {

// The host's side of a copy.
struct HostCopy {
  uintptr_t begin;
  size_t width, pitch, height;  // bytes of a row, from row to row; rows
  bool write;
  uint32_t operation;
};

void add_host_copy(const HostCopy& copy);
// Forgets the copies of which `is_over(operation)` holds.
void forget_host_copies(bool (*is_over)(uint32_t operation));
// The first copy that an access of the host to these bytes would race with. Returns false if there
// is none.
bool find_host_copy(uintptr_t address, size_t bytes, bool write, HostCopy* found);

// The addresses between which all copies lie: for a look without a lock.
extern std::atomic<uintptr_t> host_copies_begin, host_copies_end;
inline bool may_be_copied(uintptr_t address, size_t bytes) {
  return address < host_copies_end.load(std::memory_order_relaxed) &&
         address + bytes > host_copies_begin.load(std::memory_order_relaxed);
}

}  // namespace cudacpu::sanitize
