// A set of threads of one block, as bits.
#pragma once

#include <cstdint>

#include "scheduler/launch/block_size.h"

namespace cudacpu {

class ThreadSet {
 public:
  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = ThreadSet(); }
  // The caller of add() knows that `id` is not a member yet, the caller of remove() that `id` is.
  void add(unsigned id) {
    words_[id / 64] |= uint64_t{1} << id % 64;
    ++size_;
  }
  void remove(unsigned id) {
    words_[id / 64] &= ~(uint64_t{1} << id % 64);
    --size_;
  }
  bool has(unsigned id) const { return words_[id / 64] >> id % 64 & 1; }
  unsigned warp(unsigned warp) const {
    return static_cast<unsigned>(words_[warp / 2] >> 32 * (warp % 2));
  }
  void add_warp(unsigned warp, unsigned lanes) {
    words_[warp / 2] |= static_cast<uint64_t>(lanes) << 32 * (warp % 2);
    size_ += __builtin_popcount(lanes);
  }
  // Returns the first member at or after `id`, or -1.
  int next(unsigned id) const {
    unsigned i = id / 64;
    if (i >= kWords) return -1;
    uint64_t word = words_[i] & ~uint64_t{0} << id % 64;
    while (word == 0) {
      if (++i == kWords) return -1;
      word = words_[i];
    }
    return static_cast<int>(i * 64 + __builtin_ctzll(word));
  }
  // Returns the first number at or after `id` that is no member; at most kMaxBlockThreads.
  unsigned next_missing(unsigned id) const {
    unsigned i = id / 64;
    uint64_t word = ~words_[i] & ~uint64_t{0} << id % 64;
    while (word == 0)
      word = ~words_[++i];
    return i * 64 + __builtin_ctzll(word);
  }
  // All numbers from `begin` to before `end`: none is a member yet (add), or all are (remove).
  void add_range(unsigned begin, unsigned end) { change_range(begin, end, 1); }
  void remove_range(unsigned begin, unsigned end) { change_range(begin, end, -1); }
  // Returns the next member after `id`, cyclically, of a set that is not empty.
  unsigned next_after(unsigned id) const {
    int found = next(id + 1);
    return static_cast<unsigned>(found >= 0 ? found : next(0));
  }
  // Calls `visit` with each member, in increasing order.
  template <class Visit>
  void each(Visit visit) const {
    for (int id = next(0); id >= 0; id = next(id + 1))
      visit(static_cast<unsigned>(id));
  }

 private:
  void change_range(unsigned begin, unsigned end, int by) {
    for (unsigned i = begin / 64; i * 64 < end; ++i) {
      uint64_t bits = ~uint64_t{0};
      if (i * 64 < begin) bits &= ~uint64_t{0} << begin % 64;
      if (end - i * 64 < 64) bits &= ~(~uint64_t{0} << end % 64);
      words_[i] ^= bits;
    }
    size_ += by * (end - begin);
  }

  static constexpr unsigned kWords = kMaxBlockThreads / 64;
  uint64_t words_[kWords + 1] = {};  // the last stays empty: the neighbour of the last thread
  unsigned size_ = 0;
};

}  // namespace cudacpu
