// Copies that are under way until they are waited for: of the kind cp.async, and bulk copies.
#include <cstring>

#include "cudacpu/device/async_copy.h"
#include "cudacpu/device/mbarrier.h"
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
  // With several stages it is never empty.
  if (2 * queue.done < queue.copies.size()) return;
  queue.copies.erase(queue.copies.begin(), queue.copies.begin() + queue.done);
  queue.groups.erase(queue.groups.begin(), queue.groups.begin() + queue.done_groups);
  for (size_t& end : queue.groups)
    end -= queue.done;
  queue.done = queue.done_groups = 0;
}

// ---- bulk copies ----

constexpr size_t kUnit = 16;  // bytes, of addresses and sizes

void check_bulk_copy(const void* to, const void* from, unsigned bytes) {
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes) % kUnit != 0)
    kernel_trap(716, "starts a bulk copy whose address or size is not a multiple of 16");
}

uint64_t* word_of(void* mbarrier) {
  return static_cast<uint64_t*>(mbarrier);
}

void carry_out(const BulkCopy& copy) {
  observe::bulk_copy_ends(copy.to, copy.data.size(), copy.site);
  memcpy(copy.to, copy.data.data(), copy.data.size());
}

void carry_out_load(const BulkCopy& load) {
  carry_out(load);
  uint64_t* word = word_of(load.mbarrier);
  if (*word >> 63) *word = changed(*word, 0, 0, -static_cast<int>(load.data.size()));
}

BulkStores& stores_of_thread(Block& block) {
  if (block.bulk_stores.size() < block.threads) block.bulk_stores.resize(block.threads);
  return block.bulk_stores[linear_thread()];
}

BulkCopy begin(void* to, const void* from, unsigned bytes, void* mbarrier, const void* site,
               const void* frame) {
  observe::bulk_copy_begins(to, from, bytes, site, frame);
  const char* data = static_cast<const char*>(from);
  return {to, from, {data, data + bytes}, mbarrier, site};
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

// ---- bulk copies ----

void start_bulk_load(void* to, const void* from, unsigned bytes, void* mbarrier) {
  check_bulk_copy(to, from, bytes);
  if (!in_kernel() || bytes == 0) return;
  BulkCopy copy =
      begin(to, from, bytes, mbarrier, __builtin_return_address(0), __builtin_frame_address(0));
  NoPreemption guard;
  context.worker->block->bulk_loads.push_back(std::move(copy));
}

void finish_bulk_loads(void* mbarrier) {
  if (!in_kernel()) return;
  NoPreemption guard;
  std::vector<BulkCopy>& loads = context.worker->block->bulk_loads;
  std::vector<BulkCopy> others;
  for (BulkCopy& load : loads) {
    if (load.mbarrier == mbarrier) {
      carry_out_load(load);
    } else {
      others.push_back(std::move(load));
    }
  }
  loads.swap(others);
}

void wait_for_phase(void* mbarrier, unsigned parity, int patience) {
  if (!in_kernel()) return;
  const auto* word = const_cast<const volatile uint64_t*>(word_of(mbarrier));
  for (int i = 0; i < patience && (*word & 1) == parity && *word >> 63; ++i) {
    yield();
    finish_bulk_loads(mbarrier);
  }
}

void start_bulk_store(void* to, const void* from, unsigned bytes) {
  check_bulk_copy(to, from, bytes);
  if (!in_kernel() || bytes == 0) return;
  BulkCopy copy =
      begin(to, from, bytes, nullptr, __builtin_return_address(0), __builtin_frame_address(0));
  NoPreemption guard;
  stores_of_thread(*context.worker->block).copies.push_back(std::move(copy));
}

void commit_bulk_stores() {
  if (!in_kernel()) return;
  NoPreemption guard;
  BulkStores& stores = stores_of_thread(*context.worker->block);
  stores.groups.push_back(stores.copies.size());
}

void wait_for_bulk_stores(unsigned left, bool read) {
  if (!in_kernel()) return;
  NoPreemption guard;
  BulkStores& stores = stores_of_thread(*context.worker->block);
  if (stores.groups.size() <= left) return;
  const size_t end = stores.groups[stores.groups.size() - left - 1];
  for (; stores.read < end; ++stores.read) {
    const BulkCopy& copy = stores.copies[stores.read];
    observe::bulk_source_read(copy.from, copy.data.size(), copy.site);
  }
  if (read) return;
  for (; stores.written < end; ++stores.written)
    carry_out(stores.copies[stores.written]);
  if (stores.written < stores.copies.size()) return;
  stores = {};
  stores.groups.assign(left, 0);
}

}  // namespace cudacpu
