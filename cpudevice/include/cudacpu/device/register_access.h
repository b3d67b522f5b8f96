// A load or store of a register by a lane: the counted part of functions that are otherwise single
// instructions of a GPU (compiler/counts/dump.py).
#pragma once

#include "../runtime.h"

namespace cudacpu {

template <size_t bytes>
struct Register;
template <>
struct Register<1> {
  using type = uint8_t;
};
template <>
struct Register<2> {
  using type = uint16_t;
};
template <>
struct Register<4> {
  using type = uint32_t;
};
template <>
struct Register<8> {
  using type = uint64_t;
};
template <>
struct Register<16> {
  using type = unsigned __int128;
};
template <typename T>
using RegisterOf = typename Register<sizeof(T)>::type;

template <typename T>
CUDACPU_DEVICE inline __attribute__((always_inline)) T load_register(const T* p) {
  return *p;
}
template <typename T>
CUDACPU_DEVICE inline __attribute__((always_inline)) void store_register(T* p, T value) {
  *p = value;
}

}  // namespace cudacpu
