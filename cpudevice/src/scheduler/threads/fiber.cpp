#include "scheduler/threads/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace cudacpu {
namespace {

// The system provides pages only when a thread touches them, so a large reservation costs no
// memory.
constexpr size_t kDefaultStackBytes = (CUDACPU_DIAGNOSTICS ? 128 : 64) * 1024;
// The addresses that a stack may grow into if a kernel has large local arrays: CUDA's own limit.
constexpr size_t kMostStackBytes = 512 * 1024;
constexpr size_t kGrowth = 64 * 1024;
// More bytes than a signal's frame with the widest registers and its handler need.
constexpr size_t kSignalRoom = 32 * 1024;
constexpr size_t kFibersPerChunk = 32, kFibersPerPlainChunk = 256;
// The chunks of the process in which each stack has its own guard page and grows. The system limits
// the number of mappings of a process, to 65,530 on Linux, and a stack with a guard page takes two.
// The other chunks take two mappings each, so they are larger.
constexpr size_t kGuardedChunks = 640;
constexpr size_t kCacheLine = 64;
// Stack tops differ by up to as many cache lines: at the same offset in their pages, all tops would
// compete for the same few sets of the first-level cache.
constexpr size_t kColours = 48;

size_t default_stack_bytes() {
  const char* text = getenv("CUDACPU_STACK_KB");
  size_t bytes = text ? strtoul(text, nullptr, 10) * 1024 : 0;
  return bytes > kDefaultStackBytes ? bytes : kDefaultStackBytes;
}

[[noreturn]] void no_memory() {
  fprintf(stderr, "CPU device: no memory for the stacks of a block's threads\n");
  abort();
}

std::atomic<size_t> guarded_chunks{0};
// Whether a stack has needed more than its first pages. The threads of a kernel are alike, and the
// first threads have guarded stacks.
std::atomic<bool> stacks_grow{false};

size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

FiberPool::~FiberPool() {
  unmap_chunks();
}

void FiberPool::unmap_chunks() {
  for (Chunk& chunk : chunks_) {
    munmap(chunk.base, chunk.bytes);
    if (chunk.guarded) --guarded_chunks;
  }
  chunks_.clear();
}

void FiberPool::grow() {
  if (stack_bytes_ == 0) stack_bytes_ = default_stack_bytes();
  size_t page = page_bytes();
  const size_t usable = (stack_bytes_ + kColours * kCacheLine + page - 1) / page * page;
  // Many blocks that wait for one another: one guard page for all stacks of the chunk. Stacks of
  // this kind do not grow, and all their bytes count as used, so they have no more bytes than
  // stacks have needed so far.
  const bool guarded = ++guarded_chunks <= kGuardedChunks;
  if (!guarded) --guarded_chunks;
  const size_t most = guarded || stacks_grow ? std::max(usable, kMostStackBytes) : usable;
  const size_t stride = most + page;
  const size_t count = guarded ? kFibersPerChunk : kFibersPerPlainChunk;
  const size_t bytes = stride * count;
  void* memory =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) no_memory();
  char* base = static_cast<char*>(memory);
  madvise(base, bytes, MADV_NOHUGEPAGE);
  if (!guarded && mprotect(base + page, bytes - page, PROT_READ | PROT_WRITE) != 0) no_memory();
  chunks_.push_back({base, bytes, guarded, all_.size(), stride});
  for (size_t i = 0; i < count; ++i) {
    char* top = base + (i + 1) * stride;
    if (guarded && mprotect(top - usable, usable, PROT_READ | PROT_WRITE) != 0) no_memory();
    size_t colour = all_.size() % kColours * kCacheLine;
    auto fiber = std::make_unique<Fiber>();
    fiber->stack_top = top - colour;
    fiber->stack_bytes = stride - page - colour;
    fiber->lowest = guarded ? top - usable : top - (stride - page);
    all_.push_back(std::move(fiber));
  }
  // The lowest address is taken first.
  for (size_t i = 0; i < count; ++i)
    free_.push_back(all_[all_.size() - 1 - i].get());
}

void FiberPool::reset() {
  free_.clear();
  for (size_t i = all_.size(); i-- > 0;)
    free_.push_back(all_[i].get());
}

void FiberPool::set_stack_bytes(size_t bytes) {
  if (bytes < default_stack_bytes()) bytes = default_stack_bytes();
  bytes += argument_bytes_;
  if (bytes == stack_bytes_) return;
  unmap_chunks();
  all_.clear();
  free_.clear();
  stack_bytes_ = bytes;
}

void FiberPool::make_room_for_arguments(size_t bytes) {
  constexpr size_t kCopies = 3;  // the loop's, the thread's and the copy of a function
  constexpr size_t kFew = 1024;
  const size_t needed = bytes > kFew ? kCopies * bytes : 0;
  if (needed <= argument_bytes_) return;
  const size_t rest = stack_bytes_ - argument_bytes_;
  argument_bytes_ = needed;
  set_stack_bytes(rest);
}

const FiberPool::Chunk* FiberPool::chunk_of(const void* address) const {
  const char* a = static_cast<const char*>(address);
  const auto lies_in = [a](const Chunk& c) { return a >= c.base && a < c.base + c.bytes; };
  // The threads of a block use the same few stacks again and again, out of hundreds. Another signal
  // may look for another chunk meanwhile.
  const size_t last = last_owner_;
  if (last < chunks_.size() && lies_in(chunks_[last])) return &chunks_[last];
  for (size_t i = 0; i < chunks_.size(); ++i) {
    if (!lies_in(chunks_[i])) continue;
    last_owner_ = i;
    return &chunks_[i];
  }
  return nullptr;
}

bool FiberPool::owns(const void* address) const {
  return chunk_of(address) != nullptr;
}

Fiber* FiberPool::fiber_of(const void* address) const {
  const Chunk* const chunk = chunk_of(address);
  if (!chunk || in_guard_page(address)) return nullptr;
  const auto place = static_cast<size_t>(static_cast<const char*>(address) - chunk->base);
  return all_[chunk->first + place / chunk->stride].get();
}

bool FiberPool::grow_stack(const void* address) const {
  Fiber* fiber = fiber_of(address);
  if (!fiber) return false;
  const size_t page = page_bytes();
  char* end = fiber->stack_top - fiber->stack_bytes;
  // To the page at fault and some more, without a gap: a signal's frame may be written between the
  // pages that the thread has touched and the page at fault.
  const size_t below = static_cast<size_t>(static_cast<const char*>(address) - end) / page * page;
  char* from = end + (below > kGrowth ? below - kGrowth : 0);
  const char* to = std::max<const char*>(end + below + page, fiber->lowest);
  if (mprotect(from, static_cast<size_t>(to - from), PROT_READ | PROT_WRITE) != 0) return false;
  if (from < fiber->lowest) {
    fiber->lowest = from;
    stacks_grow = true;
  }
  return true;
}

bool FiberPool::make_room_for_signal(const void* stack_pointer) const {
  const Fiber* fiber = fiber_of(stack_pointer);
  if (!fiber) return false;
  const char* pointer = static_cast<const char*>(stack_pointer);
  const char* end = fiber->stack_top - fiber->stack_bytes;
  if (pointer - end > static_cast<ptrdiff_t>(kSignalRoom)) {
    const char* wanted = pointer - kSignalRoom;
    return wanted < fiber->lowest && grow_stack(wanted);
  }
  // At the stack's end there is no room, and the signal is ignored.
  return fiber->lowest == end || grow_stack(end);
}

bool FiberPool::in_guard_page(const void* address) const {
  const Chunk* const chunk = chunk_of(address);
  if (!chunk) return false;
  const auto place = static_cast<size_t>(static_cast<const char*>(address) - chunk->base);
  return place % chunk->stride < page_bytes();
}

}  // namespace cudacpu
