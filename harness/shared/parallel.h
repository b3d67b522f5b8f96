// A loop over [0, count) on all processors: for the judge and for the making of inputs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

// Calls body(i) once for each i, several at a time and in no particular order.
template <class Body>
void parallel_for(int count, const Body& body) {
  if (count <= 0) return;
  constexpr int kMaxThreads = 16;  // the sandbox limits processes and threads
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int i = next++; i < count; i = next++)
      body(i);
  };
  const int processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads(std::min({kMaxThreads, processors, count}) - 1);
  for (std::thread& thread : threads)
    thread = std::thread(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
}

// Elements are handed out in pieces large enough to make the hand-out cheap.
constexpr size_t kPiece = 1 << 16;

inline int pieces_of(size_t count) {
  return static_cast<int>(count / kPiece + (count % kPiece != 0));
}

// Calls body(begin, end, number) for each piece of [0, count), several at a time.
template <class Body>
void parallel_pieces(size_t count, const Body& body) {
  parallel_for(pieces_of(count), [&](int number) {
    const size_t begin = number * kPiece;
    body(begin, std::min(begin + kPiece, count), number);
  });
}

constexpr size_t kNowhere = SIZE_MAX;

// The least result of find(begin, end, number) over the pieces of [0, count): each call returns the
// first matching place of its piece, or kNowhere.
template <class Find>
size_t first_of_pieces(size_t count, const Find& find) {
  std::vector<size_t> found(pieces_of(count), kNowhere);
  parallel_pieces(count, [&](size_t begin, size_t end, int number) {
    found[number] = find(begin, end, number);
  });
  return found.empty() ? kNowhere : *std::min_element(found.begin(), found.end());
}

// The least i < count for which holds(i), or kNowhere. The calls run in no particular order.
template <class Predicate>
size_t first_where(size_t count, const Predicate& holds) {
  return first_of_pieces(count, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      if (holds(i)) return i;
    }
    return kNowhere;
  });
}
