// Matrices in the registers of a warp's lanes: products, and rows that lanes exchange.
//
// A sum begins with c. The products are added to it one after the other, from the first column of a
// to the last, each exact and each sum rounded to float; fp16 sums are rounded once more at the
// end. NVIDIA does not say in which order and with how many digits a tensor core adds.
#include "cudacpu/device/matrix/matrix.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cudacpu/numbers/half_bits.h"
#include "diagnostics/observer.h"
#include "driver_types.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {
namespace {

constexpr int kLanes = 32;
constexpr int kMaxExtent = 32;  // of m, n and k

template <typename T>
T read(const unsigned char* bytes, int i) {
  T value;
  memcpy(&value, bytes + static_cast<size_t>(i) * sizeof value, sizeof value);
  return value;
}

template <typename T>
void write(unsigned char* bytes, int i, T value) {
  memcpy(bytes + static_cast<size_t>(i) * sizeof value, &value, sizeof value);
}

float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Does the same as float_from(), without a branch for numbers that are neither infinite nor NaN.
float fast_float_from(uint16_t half) {
  if ((half & 0x7C00) == 0x7C00) return float_from(half);
  const float magnitude = float_of(static_cast<uint32_t>(half & 0x7FFF) << 13) * 0x1p112f;
  return half & 0x8000 ? -magnitude : magnitude;
}

// The i-th element, in the type in which products are summed.
template <typename Sum>
Sum element(Element type, const unsigned char* bytes, int i) {
  constexpr uint32_t kTf32Digits = 0xFFFFE000;  // the others are not looked at
  switch (type) {
    case Element::kHalf:
      return static_cast<Sum>(fast_float_from(read<uint16_t>(bytes, i)));
    case Element::kBfloat16:
      return static_cast<Sum>(float_from_bfloat16(read<uint16_t>(bytes, i)));
    case Element::kTf32:
      return static_cast<Sum>(float_of(read<uint32_t>(bytes, i) & kTf32Digits));
    case Element::kFloat:
      return static_cast<Sum>(read<float>(bytes, i));
    case Element::kInt8:
      return static_cast<Sum>(read<int8_t>(bytes, i));
    case Element::kUint8:
      return static_cast<Sum>(read<uint8_t>(bytes, i));
    case Element::kInt32:
      return static_cast<Sum>(read<int32_t>(bytes, i));
    case Element::kDouble:
      return static_cast<Sum>(read<double>(bytes, i));
  }
  return Sum{};
}

template <typename Sum>
void store(const MatrixProduct& product, unsigned char* bytes, int i, Sum sum) {
  switch (product.d) {
    case Element::kHalf:
      return write(bytes, i, half_from(static_cast<float>(sum)));
    case Element::kInt32: {
      auto wide = static_cast<int64_t>(sum);
      if (product.saturate) wide = std::min<int64_t>(std::max<int64_t>(wide, INT32_MIN), INT32_MAX);
      return write(bytes, i, static_cast<int32_t>(static_cast<uint32_t>(wide)));
    }
    case Element::kDouble:
      return write(bytes, i, static_cast<double>(sum));
    default:
      return write(bytes, i, static_cast<float>(sum));
  }
}

template <typename Sum>
void multiply_as(const MatrixProduct& product, MatrixLane* const* lanes) {
  Sum a[kMaxExtent][kMaxExtent], b[kMaxExtent][kMaxExtent], sums[kMaxExtent][kMaxExtent];
  const MatrixLayout of_a = layout_of_a(product), of_b = layout_of_b(product);
  const MatrixLayout of_sum = layout_of_sum(product);
  for (int l = 0; l < kLanes; ++l) {
    const MatrixLane& lane = *lanes[l];
    for (int i = 0; i < of_a.elements(); ++i)
      a[of_a.row(l, i)][of_a.along(l, i)] = element<Sum>(product.a, lane.a, i);
    for (int i = 0; i < of_b.elements(); ++i)
      b[of_b.along(l, i)][of_b.row(l, i)] = element<Sum>(product.b, lane.b, i);
    for (int i = 0; i < of_sum.elements(); ++i)
      sums[of_sum.row(l, i)][of_sum.along(l, i)] = element<Sum>(product.c, lane.c, i);
  }
  for (int row = 0; row < product.m; ++row) {
    for (int k = 0; k < product.k; ++k) {
      const Sum factor = a[row][k];
      for (int column = 0; column < product.n; ++column)
        sums[row][column] += factor * b[k][column];
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    for (int i = 0; i < of_sum.elements(); ++i)
      store(product, lanes[l]->d, i, sums[of_sum.row(l, i)][of_sum.along(l, i)]);
    lanes[l]->done = true;
  }
}

// Stops the launch if a lane is missing: what a GPU would do is undefined.
void require_all(const WarpView& view, const char* what) {
  if (view.present == ~0u) return;
  static thread_local char sentence[160];
  snprintf(sentence, sizeof sentence,
           "calls %s, whose mask is all 32 lanes of a warp, though %d of them have ended or do not "
           "exist",
           what, kLanes - __builtin_popcount(view.present));
  kernel_trap(cudaErrorLaunchFailure, sentence);
}

unsigned char* as_bytes(uint32_t* value) {
  return reinterpret_cast<unsigned char*>(value);
}

template <typename Lane>
void lanes_of(const WarpView& view, Lane** lanes) {
  for (int l = 0; l < kLanes; ++l)
    lanes[l] = reinterpret_cast<Lane*>(view.value[l]);
}

}  // namespace

void multiply_for_all(const MatrixProduct& product, const WarpView& view, const MatrixLane& own,
                      const char* what) {
  require_all(view, what);
  NoPreemption guard;
  if (own.done) return;
  MatrixLane* lanes[kLanes];
  lanes_of(view, lanes);
  if (product.d == Element::kInt32) return multiply_as<int64_t>(product, lanes);
  if (product.d == Element::kDouble) return multiply_as<double>(product, lanes);
  multiply_as<float>(product, lanes);
}

void exchange_rows_for_all(RowExchange way, int matrices, bool transposed, const WarpView& view,
                           const MatrixRow& own, const char* what) {
  require_all(view, what);
  NoPreemption guard;
  if (own.done) return;
  MatrixRow* lanes[kLanes];
  lanes_of(view, lanes);
  constexpr int kRows = 8;
  for (int l = 0; l < kLanes; ++l) {
    for (int matrix = 0; matrix < matrices; ++matrix) {
      MatrixRow* const* rows = lanes + kRows * matrix;
      for (int half = 0; half < 2; ++half) {
        int row = l / 4, column = l % 4 * 2 + half;
        if (transposed) std::swap(row, column);
        if (way == RowExchange::kToRegisters) {
          write(as_bytes(lanes[l]->registers + matrix), half,
                read<uint16_t>(rows[row]->row, column));
        } else {
          write(rows[row]->row, column,
                read<uint16_t>(as_bytes(lanes[l]->registers + matrix), half));
        }
      }
    }
  }
  for (MatrixRow* lane : lanes)
    lane->done = true;
}

}  // namespace cudacpu
