// Asynchronous copies from and to memory of cudaHostRegister that the host has not waited for.
// Registered memory can be any memory of the program, and has no shadow.
//
// The list has a mutex of its own, which is never held while a kernel runs: the kernel may wait for
// the host thread whose access is checked.
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
// Finds the first copy that races with an access of the host to [address, address + bytes); returns
// false without any.
bool find_host_copy(uintptr_t address, size_t bytes, bool write, HostCopy* found);

// The range of addresses of all copies: for a check without a lock.
extern std::atomic<uintptr_t> host_copies_begin, host_copies_end;
inline bool may_be_copied(uintptr_t address, size_t bytes) {
  return address < host_copies_end.load(std::memory_order_relaxed) &&
         address + bytes > host_copies_begin.load(std::memory_order_relaxed);
}

}  // namespace cudacpu::sanitize
