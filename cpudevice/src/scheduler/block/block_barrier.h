// The barriers among the threads of one block: __syncthreads and the numbered barriers of PTX.
#pragma once

#include "scheduler/block/block_threads.h"

namespace cudacpu {

class BlockBarrier {
 public:
  void begin() {
    arrived_ = 0;
    reducing_ = {0, 1, 0};
  }
  bool is_empty() const { return arrived_ == 0; }
  void add_arrivals(unsigned threads) { arrived_ += threads; }
  // Adds the predicate of a thread that is about to arrive.
  void reduce(int predicate) {
    reducing_.count += predicate != 0;
    reducing_.all &= predicate != 0;
    reducing_.any |= predicate != 0;
  }
  // Whether the threads that have arrived are all live threads of the block.
  bool is_complete(const BlockThreads& threads) const { return threads.all_arrived(arrived_); }
  void open() {
    result_ = reducing_;
    begin();
  }
  const BarrierResult& result() const { return result_; }  // of the opening before

 private:
  unsigned arrived_;
  BarrierResult result_, reducing_;
};

// A barrier at which a given number of threads of the block meet.
class NamedBarrier {
 public:
  static constexpr unsigned kNumbers = 16;  // in a block
  // Whether the next thread may expect `threads` threads, as the threads before have done.
  bool may_expect(unsigned threads) const { return arrived_ == 0 || expected_ == threads; }
  // A thread arrives; the last thread opens the barrier and gets true.
  bool arrive(unsigned expected, BlockThreads& threads) {
    expected_ = expected;
    if (++arrived_ != expected) return false;
    waiting_.each([&](unsigned id) { threads.make_ready(id); });
    *this = {};
    return true;
  }
  void wait(Thread& me) {
    waiting_.add(me.id);
    me.wait = Wait::kNamed;
  }

 private:
  unsigned arrived_ = 0, expected_ = 0;  // threads
  ThreadSet waiting_;                    // of the threads that have arrived
};

}  // namespace cudacpu
