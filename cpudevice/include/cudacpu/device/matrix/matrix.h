// The work of a warp's lanes on matrices that lie in their registers: products (mma.sync,
// wmma::mma_sync) and exchanges of rows (ldmatrix).
//
// Every lane leaves the address of its part; the first lane to go on does the work for all, in
// src/matrices/matrix.cpp. A product counts as one instruction (compiler/counts/dump.py).
#pragma once

#include "../warp.h"

namespace cudacpu {

// A memcpy for registers: takes no address, which would turn the registers into local memory for a
// profile.
template <size_t bytes>
CUDACPU_DEVICE CUDACPU_INLINED void copy_registers(void* to, const void* from) {
  struct __attribute__((may_alias)) Bytes {
    unsigned char byte[bytes];
  };
  *static_cast<Bytes*>(to) = *static_cast<const Bytes*>(from);
}

enum class Element : uint8_t { kHalf, kBfloat16, kTf32, kInt8, kUint8, kDouble, kFloat, kInt32 };

CUDACPU_HOST_DEVICE constexpr int bytes_of(Element element) {
  return element == Element::kDouble                                  ? 8
         : element == Element::kHalf || element == Element::kBfloat16 ? 2
         : element == Element::kInt8 || element == Element::kUint8    ? 1
                                                                      : 4;
}

// d = a * b + c; a is m x k, b is k x n.
struct MatrixProduct {
  int m, n, k;
  Element a, b, c, d;
  bool saturate;  // integers, in place of wrapping around
};

// The place of a lane's i-th element in a matrix. A matrix consists of blocks of 8 rows, and a lane
// holds `run` neighbours of one row of each block. PTX specifies the layout for the operands of
// mma.sync; CUDA leaves the layout of WMMA's fragments open.
//
// `rows` are the rows of a and c, and the columns of b; `depth` runs along k in a and b, along n in
// c. `down`: the blocks are numbered down first, as in a and c.
struct MatrixLayout {
  int rows, depth, run;
  bool down;

  CUDACPU_HOST_DEVICE constexpr int elements() const { return rows * depth / 32; }
  CUDACPU_HOST_DEVICE constexpr int blocks_down() const { return rows / 8; }
  CUDACPU_HOST_DEVICE constexpr int blocks_along() const { return depth / (4 * run); }
  CUDACPU_HOST_DEVICE constexpr int block_row(int block) const {
    return 8 * (down ? block % blocks_down() : block / blocks_along());
  }
  CUDACPU_HOST_DEVICE constexpr int block_depth(int block) const {
    return 4 * run * (down ? block / blocks_down() : block % blocks_along());
  }
  CUDACPU_HOST_DEVICE constexpr int row(int lane, int i) const {
    return block_row(i / run) + lane / 4;
  }
  CUDACPU_HOST_DEVICE constexpr int along(int lane, int i) const {
    return block_depth(i / run) + lane % 4 * run + i % run;
  }
};

CUDACPU_HOST_DEVICE constexpr int run_of(Element element) {
  return bytes_of(element) < 4 ? 4 / bytes_of(element) : 1;
}
CUDACPU_HOST_DEVICE constexpr MatrixLayout layout_of_a(const MatrixProduct& p) {
  return {p.m, p.k, run_of(p.a), true};
}
CUDACPU_HOST_DEVICE constexpr MatrixLayout layout_of_b(const MatrixProduct& p) {
  return {p.n, p.k, run_of(p.b), false};
}
CUDACPU_HOST_DEVICE constexpr MatrixLayout layout_of_sum(const MatrixProduct& p) {
  return {p.m, p.n, 2, true};
}

// A lane's arguments and results of a product. Elements lie one after the other.
struct alignas(16) MatrixLane {
  unsigned char a[32], b[32], c[32], d[32];
  bool done;
};

// A lane's part in an exchange of rows: a row of 16 bytes of one matrix, and a register of each
// matrix. The lane gives the row and gets the registers, or the other way round.
struct alignas(16) MatrixRow {
  unsigned char row[16];
  uint32_t registers[4];
  bool done;
};
enum class RowExchange : uint8_t { kToRegisters, kToRows };

// In src/matrices/matrix.cpp: multiplies for all lanes of the view, unless another lane has done so
// before. A lane may lose its turn between the check of `done` and the call.
CUDACPU_DEVICE void multiply_for_all(const MatrixProduct& product, const WarpView& view,
                                     const MatrixLane& own, const char* what);
CUDACPU_DEVICE void exchange_rows_for_all(RowExchange way, int matrices, bool transposed,
                                          const WarpView& view, const MatrixRow& own,
                                          const char* what);

// a, b, c and d are arrays in the lane's registers.
template <typename A, typename B, typename C, typename D>
CUDACPU_DEVICE CUDACPU_INLINED void multiply(const MatrixProduct& product, const A& a, const B& b,
                                             const C& c, D& d, const char* what) {
  MatrixLane lane;
  copy_registers < sizeof a<sizeof lane.a ? sizeof a : sizeof lane.a>(lane.a, a);
  copy_registers < sizeof b<sizeof lane.b ? sizeof b : sizeof lane.b>(lane.b, b);
  copy_registers<sizeof c>(lane.c, c);
  lane.done = false;
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  observe::matrix_product(static_cast<unsigned>(product.a), static_cast<unsigned>(product.d),
                          static_cast<unsigned>(product.m * product.n * product.k));
#endif
  const WarpView& view = warp_exchange(~0u, reinterpret_cast<uint64_t>(&lane), what);
  if (!lane.done) multiply_for_all(product, view, lane, what);
  copy_registers<sizeof d>(d, lane.d);
}

// For `matrices` matrices of 8 rows of 16 bytes, lane l holds row l % 8 of matrix l / 8, and a
// register of each matrix: the l % 4-th pair of row l / 4, or of column l / 4 if `transposed`.
// Fills the rows of all lanes from the registers, or the registers from the rows.
CUDACPU_DEVICE CUDACPU_INLINED void exchange_rows(RowExchange way, int matrices, bool transposed,
                                                  MatrixRow& lane, const char* what) {
  lane.done = false;
  const WarpView& view = warp_exchange(~0u, reinterpret_cast<uint64_t>(&lane), what);
  if (!lane.done) exchange_rows_for_all(way, matrices, transposed, view, lane, what);
}

}  // namespace cudacpu
