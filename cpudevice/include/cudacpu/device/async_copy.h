// A thread's copies from global to shared memory that end when the thread waits for them: cp.async
// of PTX, __pipeline_memcpy_async, and memcpy_async of groups and of pipelines of one thread.
//
// A copy reads its source at once and writes where the thread waits for the copy's group, so a
// program that does not wait gets the wrong answer on the CPU device every time.
#pragma once

#include "matrix/matrix.h"
#include "memory_access.h"
#include "register_access.h"

namespace cudacpu {

// Defined in src/scheduler/threads/copy_queue.cpp, for the running thread.
CUDACPU_DEVICE void queue_copy(void* to, unsigned long long low, unsigned long long high,
                               unsigned bytes);
CUDACPU_DEVICE void commit_copies();
// Waits until at most `left` groups of the thread's copies are pending; wait_for_all_copies() also
// waits for copies outside of groups.
CUDACPU_DEVICE void wait_for_copies(unsigned left);
CUDACPU_DEVICE void wait_for_all_copies();

template <unsigned bytes>
CUDACPU_DEVICE CUDACPU_INLINED void start_copy_of(void* to, const void* from, unsigned given) {
  using Word = typename Register<bytes>::type;
  Word word = 0;
  if (given == bytes) {
    word = load_register(static_cast<const Word*>(from));
  } else {
    for (unsigned i = 0; i < given; ++i)
      word |= static_cast<Word>(load_register(static_cast<const unsigned char*>(from) + i))
              << 8 * i;
  }
  const auto all = static_cast<unsigned __int128>(word);
  queue_copy(to, static_cast<unsigned long long>(all), static_cast<unsigned long long>(all >> 64),
             bytes);
}

// Copies `given` bytes, and adds zeros up to `bytes`: 4, 8 or 16. Both addresses are multiples of
// `bytes`.
CUDACPU_DEVICE CUDACPU_INLINED void start_copy(void* to, const void* from, unsigned bytes,
                                               unsigned given) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    kernel_trap(715, "starts an asynchronous copy of another size than 4, 8 or 16 bytes");
  if (given > bytes)
    kernel_trap(715, "starts an asynchronous copy that fills less than it is given");
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from)) % bytes != 0)
    kernel_trap(716,
                "starts an asynchronous copy at an address that is not a multiple of its bytes");
  if (bytes == 16)
    start_copy_of<16>(to, from, given);
  else if (bytes == 8)
    start_copy_of<8>(to, from, given);
  else
    start_copy_of<4>(to, from, given);
}

// A piece, of at most 16 bytes, of a copy by a group of threads. The piece is copied at once where
// a GPU has no instruction for an asynchronous copy.
CUDACPU_DEVICE CUDACPU_INLINED void start_piece(void* to, const void* from, size_t bytes) {
  const auto places = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (!is_shared(to) || is_shared(from) || places % 4 != 0) {
    copy_piece(to, from, bytes);
  } else if (places % 16 == 0) {
    start_copy_of<16>(to, from, 16);
  } else {
    for (size_t at = 0; at < bytes; at += 4)
      start_copy_of<4>(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, 4);
  }
}

// The pieces of the `rank`-th of `threads` threads: every threads-th 16 bytes of a copy, as with a
// GPU's instructions. The pieces are started, or copied at once.
template <bool kStarts>
CUDACPU_DEVICE CUDACPU_INLINED void copy_pieces(void* destination, const void* source, size_t bytes,
                                                size_t rank, size_t threads) {
  constexpr size_t kPiece = 16;
  for (size_t at = kPiece * rank; at < bytes; at += kPiece * threads) {
    void* const to = static_cast<char*>(destination) + at;
    const void* const from = static_cast<const char*>(source) + at;
    const size_t size = bytes - at < kPiece ? bytes - at : kPiece;
    if (kStarts) {
      start_piece(to, from, size);
    } else {
      copy_piece(to, from, size);
    }
  }
}

}  // namespace cudacpu
