// Moves matrices between memory and the registers of a warp's lanes: ldmatrix, and the loads and
// stores of WMMA. A lane's accesses are counted as the lane's own (register_access.h); the other
// instructions are few on a GPU.
#pragma once

#include "../memory_access.h"
#include "../register_access.h"
#include "matrix.h"

namespace cudacpu {

// A load that is an error on a GPU is an error on the CPU device, too.
CUDACPU_DEVICE CUDACPU_UNSEEN inline void require_multiple_of_16(const void* p, size_t stride,
                                                                 const char* sentence) {
  if ((reinterpret_cast<size_t>(p) | stride) % 16 != 0)
    kernel_trap(716, sentence);  // cudaErrorMisalignedAddress
}

// ldmatrix: lane l gives the address of row l % 8 of matrix l / 8, a row of 16 bytes in shared
// memory. A register of each matrix comes back: the l % 4-th pair of row l / 4, or of column.
template <int matrices>
CUDACPU_DEVICE CUDACPU_INLINED void load_rows(uint32_t* out, const void* row, bool transposed,
                                              const char* what) {
  unsigned __int128 values = 0;
  if (lane_id() < 8 * matrices) {
    require_multiple_of_16(row, 0,
                           "calls ldmatrix with a row that is not at a multiple of 16 bytes");
    values = load_register(static_cast<const unsigned __int128*>(row));
  }
  MatrixRow lane;
  copy_registers<sizeof values>(lane.row, &values);
  exchange_rows(RowExchange::kToRegisters, matrices, transposed, lane, what);
  copy_registers<matrices * sizeof *out>(out, lane.registers);
}

// stmatrix: the other way round.
template <int matrices>
CUDACPU_DEVICE CUDACPU_INLINED void store_rows(const uint32_t* registers, void* row,
                                               bool transposed, const char* what) {
  MatrixRow lane;
  copy_registers<matrices * sizeof *registers>(lane.registers, registers);
  exchange_rows(RowExchange::kToRows, matrices, transposed, lane, what);
  if (lane_id() >= 8 * matrices) return;
  require_multiple_of_16(row, 0, "calls stmatrix with a row that is not at a multiple of 16 bytes");
  unsigned __int128 values;
  copy_registers<sizeof values>(&values, lane.row);
  store_register(static_cast<unsigned __int128*>(row), values);
}

// movmatrix: a register of a matrix becomes the register of the transposed matrix.
CUDACPU_DEVICE CUDACPU_INLINED uint32_t transpose_rows(uint32_t value, const char* what) {
  const WarpView& view = warp_exchange(~0u, value, what);
  const unsigned lane = lane_id(), shift = lane / 4 % 2 * 16;
  const auto element = [&](unsigned row) {
    return static_cast<uint32_t>(view.value[4 * row + lane / 8] >> shift) & 0xFFFF;
  };
  return element(lane % 4 * 2) | element(lane % 4 * 2 + 1) << 16;
}

// A warp loads a matrix of `rows` by `depth` elements. `along`: the elements of a row lie side by
// side, and rows are `stride` elements apart; else the same holds for columns.
template <int rows, int depth, int run, bool down, typename T>
CUDACPU_DEVICE CUDACPU_INLINED void load_matrix(T* values, const T* p, unsigned stride, bool along,
                                                const char* what) {
  constexpr MatrixLayout layout{rows, depth, run, down};
  require_multiple_of_16(p, stride * sizeof(T),
                         "loads a matrix by WMMA from an address, or with a distance of its rows, "
                         "that is not a multiple of 16 bytes");
  const int lane = static_cast<int>(lane_id());
  constexpr bool by_rows = run * sizeof(T) == 4;
  if (by_rows && (along || sizeof(T) == 2) && is_shared(p)) {
    constexpr int blocks = layout.elements() / run;
    constexpr int at_once = blocks < 4 ? blocks : 4;
#pragma GCC unroll 4
    for (int first = 0; first < blocks; first += at_once) {
      const int block = first + lane / 8 % at_once, row = lane % 8;
      const int r = layout.block_row(block), c = layout.block_depth(block);
      const T* const line = along ? p + (r + row) * stride + c : p + (c + row) * stride + r;
      uint32_t registers[at_once];
      load_rows<at_once>(registers, line, !along, what);
      copy_registers<sizeof registers>(values + first * run, registers);
    }
    return;
  }
  warp_exchange(~0u, 0, what);
  if (along && run * sizeof(T) <= 8 && run > 1) {
    using Word = std::conditional_t<run * sizeof(T) == 8, unsigned long long, unsigned>;
#pragma GCC unroll 16
    for (int i = 0; i < layout.elements(); i += run) {
      const T* const place = p + layout.row(lane, i) * stride + layout.along(lane, i);
      const Word word = load_register(reinterpret_cast<const Word*>(place));
      copy_registers<sizeof word>(values + i, &word);
    }
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < layout.elements(); ++i) {
    const int r = layout.row(lane, i), c = layout.along(lane, i);
    const T* const place = p + (along ? r * stride + c : c * stride + r);
    const RegisterOf<T> value = load_register(reinterpret_cast<const RegisterOf<T>*>(place));
    copy_registers<sizeof value>(values + i, &value);
  }
}

// A warp stores the sums of a product.
template <int rows, int columns, typename T>
CUDACPU_DEVICE CUDACPU_INLINED void store_matrix(T* p, const T* values, unsigned stride, bool along,
                                                 const char* what) {
  constexpr MatrixLayout layout{rows, columns, 2, true};
  require_multiple_of_16(p, stride * sizeof(T),
                         "stores a matrix by WMMA to an address, or with a distance of its rows, "
                         "that is not a multiple of 16 bytes");
  const int lane = static_cast<int>(lane_id());
  warp_exchange(~0u, 0, what);
  if (along && 2 * sizeof(T) <= 8) {
    using Word = std::conditional_t<2 * sizeof(T) == 8, unsigned long long, unsigned>;
#pragma GCC unroll 16
    for (int i = 0; i < layout.elements(); i += 2) {
      T* const place = p + layout.row(lane, i) * stride + layout.along(lane, i);
      Word word;
      copy_registers<sizeof word>(&word, values + i);
      store_register(reinterpret_cast<Word*>(place), word);
    }
    return;
  }
#pragma GCC unroll 16
  for (int i = 0; i < layout.elements(); ++i) {
    const int r = layout.row(lane, i), c = layout.along(lane, i);
    T* const place = p + (along ? r * stride + c : c * stride + r);
    RegisterOf<T> value;
    copy_registers<sizeof value>(&value, values + i);
    store_register(reinterpret_cast<RegisterOf<T>*>(place), value);
  }
}

}  // namespace cudacpu
