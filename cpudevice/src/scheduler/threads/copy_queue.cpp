#include <cstring>

#include "cudacpu/device/async_copy.h"
#include "diagnostics/observer.h"
#include "scheduler/threads/block.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {
namespace {

AsyncCopies& copies_of_thread() {
  NoPreemption guard;
  Block& block = *context.worker->block;
  if (block.copies.size() < block.threads) block.copies.resize(block.threads);
  return block.copies[linear_thread()];
}

void carry_out(const AsyncCopy& copy) {
  const uint64_t words[] = {copy.low, copy.high};
  observe::copy_ends(copy.to, copy.bytes, copy.site);
  memcpy(copy.to, words, copy.bytes);
}

void wait_until(AsyncCopies& queue, size_t left) {
  while (queue.groups.size() - queue.done_groups > left) {
    const size_t end = queue.groups[queue.done_groups++];
    for (; queue.done < end; ++queue.done)
      carry_out(queue.copies[queue.done]);
  }
  if (queue.done < queue.copies.size() || queue.done_groups < queue.groups.size()) return;
  queue.copies.clear();
  queue.groups.clear();
  queue.done = queue.done_groups = 0;
}

}  // namespace

void queue_copy(void* to, unsigned long long low, unsigned long long high, unsigned bytes) {
  if (!in_kernel()) return;
  const void* site = __builtin_return_address(0);
  observe::copy_begins(to, bytes, site, __builtin_frame_address(0));
  NoPreemption guard;
  copies_of_thread().copies.push_back({to, low, high, bytes, site});
}

void commit_copies() {
  if (!in_kernel()) return;
  NoPreemption guard;
  AsyncCopies& queue = copies_of_thread();
  queue.groups.push_back(queue.copies.size());
}

void wait_for_copies(unsigned left) {
  if (in_kernel()) wait_until(copies_of_thread(), left);
}

void wait_for_all_copies() {
  commit_copies();
  wait_for_copies(0);
}

}  // namespace cudacpu
