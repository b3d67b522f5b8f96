#include "scheduler/block/pending_copies.h"

#include <cstring>
#include <iterator>

#include "cudacpu/device/mbarrier.h"
#include "diagnostics/observer.h"

namespace cudacpu {
namespace {

void carry_out(const AsyncCopy& copy) {
  const uint64_t words[] = {copy.low, copy.high};
  observe::copy_ends(copy.to, copy.bytes, copy.site);
  memcpy(copy.to, words, copy.bytes);
}

void carry_out(const BulkCopy& copy) {
  observe::bulk_copy_ends(copy.to, copy.data.size(), copy.site);
  memcpy(copy.to, copy.data.data(), copy.data.size());
}

void carry_out_load(const BulkCopy& load) {
  carry_out(load);
  auto* const word = static_cast<uint64_t*>(load.mbarrier);
  if (*word >> 63) *word = changed(*word, 0, 0, -static_cast<int>(load.data.size()));
}

bool is_in(const void* begin, size_t bytes, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(begin) < bytes;
}

}  // namespace

void AsyncCopies::wait(size_t left) {
  while (groups_.size() - done_groups_ > left) {
    const size_t end = groups_[done_groups_++];
    for (; done_ < end; ++done_)
      carry_out(copies_[done_]);
  }
  // A kernel with several stages never empties the queue.
  if (2 * done_ < copies_.size()) return;
  copies_.erase(copies_.begin(), copies_.begin() + done_);
  groups_.erase(groups_.begin(), groups_.begin() + done_groups_);
  for (size_t& end : groups_)
    end -= done_;
  done_ = done_groups_ = 0;
}

const AsyncCopy* AsyncCopies::copy_to(uintptr_t address) const {
  for (size_t i = done_; i < copies_.size(); ++i) {
    if (is_in(copies_[i].to, copies_[i].bytes, address)) return &copies_[i];
  }
  return nullptr;
}

void BulkStores::wait(size_t left, bool read) {
  if (groups_.size() <= left) return;
  const size_t end = groups_[groups_.size() - left - 1];
  for (; read_ < end; ++read_)
    observe::bulk_source_read(copies_[read_].from, copies_[read_].data.size(), copies_[read_].site);
  if (read) return;
  for (; written_ < end; ++written_)
    carry_out(copies_[written_]);
  if (written_ < copies_.size()) return;
  *this = {};
  groups_.assign(left, 0);
}

void BulkStores::finish() {
  for (; written_ < copies_.size(); ++written_)
    memcpy(copies_[written_].to, copies_[written_].data.data(), copies_[written_].data.size());
}

void PendingCopies::finish_bulk_loads(void* mbarrier) {
  std::vector<BulkCopy> others;
  for (BulkCopy& load : loads_) {
    if (load.mbarrier == mbarrier) {
      carry_out_load(load);
    } else {
      others.push_back(std::move(load));
    }
  }
  loads_.swap(others);
}

PendingCopies::Copy PendingCopies::copy_to(uintptr_t address) const {
  for (unsigned thread = 0; thread < async_.size(); ++thread) {
    if (const AsyncCopy* copy = async_[thread].copy_to(address)) return {copy->site, false, thread};
  }
  for (const BulkCopy& load : loads_) {
    if (is_in(load.to, load.data.size(), address)) return {load.site, true, 0};
  }
  return {};
}

void PendingCopies::finish() {
  for (BulkStores& stores : stores_)
    stores.finish();
  async_.clear();
  loads_.clear();
  stores_.clear();
}

}  // namespace cudacpu
