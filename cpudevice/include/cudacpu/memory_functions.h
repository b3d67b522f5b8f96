// `memcpy`, `memmove`, `memset` and `memcmp` in the diagnostic modes.
//
// The compiler expands a call with a constant length in place, and the instrumentation would miss a
// copy of 12 or 64 bytes. With the functions below, a call of a short constant length becomes
// accesses of the program's own, and every other call goes to the run-time library's function,
// which reports all bytes. cuda_runtime.h takes the macros back at its end; in later code cudacc
// writes the same names (compiler/syntax/diagnostics.py).
#pragma once

#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING && !CUDACPU_RUNTIME && defined(__cplusplus)

#include <stddef.h>
#include <string.h>

#include <utility>

extern "C" {
void* __cudacpu_memcpy(void* to, const void* from, size_t bytes);
void* __cudacpu_memmove(void* to, const void* from, size_t bytes);
void* __cudacpu_memset(void* to, int value, size_t bytes);
int __cudacpu_memcmp(const void* a, const void* b, size_t bytes);
}

#define CUDACPU_IN_PLACE inline __attribute__((always_inline, artificial))

namespace cudacpu::in_place {

// A word at any address.
template <typename T>
struct __attribute__((packed, may_alias)) Word {
  T value;
};

template <typename T>
CUDACPU_IN_PLACE void copy_word(char* to, const char* from, size_t at) {
  reinterpret_cast<Word<T>*>(to + at)->value = reinterpret_cast<const Word<T>*>(from + at)->value;
}
template <typename T>
CUDACPU_IN_PLACE void set_word(char* to, unsigned long bits, size_t at) {
  reinterpret_cast<Word<T>*>(to + at)->value = static_cast<T>(bits);
}

// Calls function(T(), at) for each word of a known number of bytes, in order, or from the last word
// to the first. Has no loop: the offsets are constants, so that a local variable can stay in
// registers.
template <typename Function, size_t... kWords>
CUDACPU_IN_PLACE void for_words(size_t bytes, bool backward, Function function,
                                std::index_sequence<kWords...>) {
  const size_t wide = bytes / 8;
  if (!backward) ((kWords < wide ? function(0ul, 8 * kWords) : void()), ...);
  const auto rest = [&](auto word, size_t before) __attribute__((always_inline)) {
    if (bytes & sizeof word) function(word, 8 * wide + (bytes & before));
  };
  if (backward) {
    rest(static_cast<unsigned char>(0), 6);
    rest(static_cast<unsigned short>(0), 4);
    rest(0u, 0);
    ((kWords < wide ? function(0ul, 8 * (wide - 1 - kWords)) : void()), ...);
  } else {
    rest(0u, 0);
    rest(static_cast<unsigned short>(0), 4);
    rest(static_cast<unsigned char>(0), 6);
  }
}

template <size_t kMost>
CUDACPU_IN_PLACE void copy_words(void* to, const void* from, size_t bytes, bool backward) {
  const auto copy = [=](auto word, size_t at) __attribute__((always_inline)) {
    copy_word<decltype(word)>(static_cast<char*>(to), static_cast<const char*>(from), at);
  };
  for_words(bytes, backward, copy, std::make_index_sequence<kMost / 8>());
}

// Copies up to `kMost` bytes in place. __builtin_constant_p() asks for the values known after
// copy() has been inlined.
template <size_t kMost>
CUDACPU_IN_PLACE void* copy(void* to, const void* from, size_t bytes) {
  if (!__builtin_constant_p(bytes) || bytes > kMost) return __cudacpu_memcpy(to, from, bytes);
  copy_words<kMost>(to, from, bytes, false);
  return to;
}
// Whether the length is known to be a single word, which is loaded before being stored.
CUDACPU_IN_PLACE bool is_word(size_t bytes) {
  return __builtin_constant_p(bytes) && bytes <= 8 && (bytes & (bytes - 1)) == 0;
}
template <size_t kMost>
CUDACPU_IN_PLACE void* move(void* to, const void* from, size_t bytes) {
  if (!__builtin_constant_p(bytes) || bytes > kMost) return __cudacpu_memmove(to, from, bytes);
  if (is_word(bytes) || to <= from) {
    copy_words<kMost>(to, from, bytes, false);
  } else {
    copy_words<kMost>(to, from, bytes, true);
  }
  return to;
}
template <size_t kMost>
CUDACPU_IN_PLACE void* set(void* to, int value, size_t bytes) {
  if (!__builtin_constant_p(bytes) || bytes > kMost) return __cudacpu_memset(to, value, bytes);
  const unsigned long bits = 0x0101010101010101u * static_cast<unsigned char>(value);
  const auto set = [=](auto word, size_t at) __attribute__((always_inline)) {
    set_word<decltype(word)>(static_cast<char*>(to), bits, at);
  };
  for_words(bytes, false, set, std::make_index_sequence<kMost / 8>());
  return to;
}

// For sanitize a copy is a single access, since whole words of the copy may be padding that is
// never written.
#ifdef __CUDACPU_SANITIZE__
constexpr size_t kShort = 8, kWords = 8;
#else
constexpr size_t kShort = 128, kWords = 16;
#endif

}  // namespace cudacpu::in_place

// The compiler's functions, as the C++ library calls them: small, so that the library's functions
// are still inlined.
CUDACPU_IN_PLACE void* __cudacpu_word_memcpy(void* to, const void* from, size_t bytes) {
  return cudacpu::in_place::copy<cudacpu::in_place::kWords>(to, from, bytes);
}
CUDACPU_IN_PLACE void* __cudacpu_word_memmove(void* to, const void* from, size_t bytes) {
  if (!cudacpu::in_place::is_word(bytes)) return __cudacpu_memmove(to, from, bytes);
  return cudacpu::in_place::copy<8>(to, from, bytes);
}
CUDACPU_IN_PLACE void* __cudacpu_word_memset(void* to, int value, size_t bytes) {
  return cudacpu::in_place::set<cudacpu::in_place::kWords>(to, value, bytes);
}
CUDACPU_IN_PLACE int __cudacpu_word_memcmp(const void* a, const void* b, size_t bytes) {
  return __cudacpu_memcmp(a, b, bytes);
}

// The C library's functions. A pointer to a function is the C library's own, which cudacc renames
// in the object.
#define CUDACPU_INSTEAD extern inline __attribute__((always_inline, gnu_inline, artificial))
extern "C" {
CUDACPU_INSTEAD void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  return cudacpu::in_place::copy<cudacpu::in_place::kShort>(to, from, bytes);
}
CUDACPU_INSTEAD void* memmove(void* to, const void* from, size_t bytes) noexcept {
  return cudacpu::in_place::move<cudacpu::in_place::kShort>(to, from, bytes);
}
CUDACPU_INSTEAD void* memset(void* to, int value, size_t bytes) noexcept {
  return cudacpu::in_place::set<cudacpu::in_place::kShort>(to, value, bytes);
}
CUDACPU_INSTEAD int memcmp(const void* a, const void* b, size_t bytes) noexcept {
  return __cudacpu_memcmp(a, b, bytes);
}
}
#undef CUDACPU_INSTEAD
#undef CUDACPU_IN_PLACE

#define __builtin_memcpy __cudacpu_word_memcpy
#define __builtin_memmove __cudacpu_word_memmove
#define __builtin_memset __cudacpu_word_memset
#define __builtin_memcmp __cudacpu_word_memcmp

#endif
