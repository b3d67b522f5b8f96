// The calls with which the running thread starts copies and waits for copies.
#include "cudacpu/device/async_copy.h"
#include "cudacpu/device/mbarrier.h"
#include "diagnostics/observer.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {
namespace {

PendingCopies& copies_of_block() {
  return context.worker->block->copies;
}

AsyncCopies& copies_of_thread() {
  NoPreemption guard;
  return copies_of_block().async_copies(linear_thread());
}

void check_bulk_copy(const void* to, const void* from, unsigned bytes) {
  constexpr size_t kUnit = 16;  // bytes, of addresses and sizes
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes) % kUnit != 0)
    kernel_trap(716, "starts a bulk copy whose address or size is not a multiple of 16");
}

BulkCopy begin_bulk_copy(void* to, const void* from, unsigned bytes, void* mbarrier,
                         const void* site, const void* frame) {
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
  copies_of_thread().add({to, low, high, bytes, site});
}

void commit_copies() {
  if (!in_kernel()) return;
  NoPreemption guard;
  copies_of_thread().commit();
}

void wait_for_copies(unsigned left) {
  if (in_kernel()) copies_of_thread().wait(left);
}

void wait_for_all_copies() {
  commit_copies();
  wait_for_copies(0);
}

void start_bulk_load(void* to, const void* from, unsigned bytes, void* mbarrier) {
  check_bulk_copy(to, from, bytes);
  if (!in_kernel() || bytes == 0) return;
  BulkCopy copy = begin_bulk_copy(to, from, bytes, mbarrier, __builtin_return_address(0),
                                  __builtin_frame_address(0));
  NoPreemption guard;
  copies_of_block().add_bulk_load(std::move(copy));
}

void finish_bulk_loads(void* mbarrier) {
  if (!in_kernel()) return;
  NoPreemption guard;
  copies_of_block().finish_bulk_loads(mbarrier);
}

void wait_for_phase(void* mbarrier, unsigned parity, int patience) {
  if (!in_kernel()) return;
  const auto* word = static_cast<const volatile uint64_t*>(mbarrier);
  for (int i = 0; i < patience && (*word & 1) == parity && *word >> 63; ++i) {
    yield();
    finish_bulk_loads(mbarrier);
  }
}

void start_bulk_store(void* to, const void* from, unsigned bytes) {
  check_bulk_copy(to, from, bytes);
  if (!in_kernel() || bytes == 0) return;
  BulkCopy copy = begin_bulk_copy(to, from, bytes, nullptr, __builtin_return_address(0),
                                  __builtin_frame_address(0));
  NoPreemption guard;
  copies_of_block().bulk_stores(linear_thread()).add(std::move(copy));
}

void commit_bulk_stores() {
  if (!in_kernel()) return;
  NoPreemption guard;
  copies_of_block().bulk_stores(linear_thread()).commit();
}

void wait_for_bulk_stores(unsigned left, bool read) {
  if (!in_kernel()) return;
  NoPreemption guard;
  copies_of_block().bulk_stores(linear_thread()).wait(left, read);
}

}  // namespace cudacpu
