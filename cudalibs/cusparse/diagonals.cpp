// cuSPARSE: systems of equations whose matrices have three or five diagonals.
#include <algorithm>
#include <array>
#include <cmath>

#include "cusparse/values.h"

using namespace cudacpu::sparse;

namespace {

// A square matrix with `width` diagonals on each side of the main diagonal. Exchanging rows makes
// as many more above the main diagonal.
template <typename V>
class Band {
 public:
  Band(int64_t n, int64_t width)
      : n_(n), width_(width), values_(static_cast<size_t>(n * (3 * width + 1))) {}
  V& at(int64_t row, int64_t column) {
    return values_[static_cast<size_t>(row * (3 * width_ + 1) + column - row + width_)];
  }
  // Solves in place for right sides whose elements are rows of x, by elimination. The pivots are
  // the largest elements of their columns, or the elements on the diagonal.
  void solve(std::vector<std::vector<V>>& x, bool exchanges_rows) {
    for (int64_t k = 0; k < n_; ++k) {
      const int64_t last_row = std::min(n_ - 1, k + width_);
      const int64_t last_column = std::min(n_ - 1, k + 2 * width_);
      if (exchanges_rows) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i <= last_row; ++i)
          if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
        for (int64_t j = k; pivot != k && j <= last_column; ++j)
          std::swap(at(k, j), at(pivot, j));
        if (pivot != k) std::swap(x[k], x[pivot]);
      }
      for (int64_t i = k + 1; i <= last_row; ++i) {
        if (at(i, k) == V(0)) continue;
        const V factor = at(i, k) / at(k, k);
        for (int64_t j = k; j <= last_column; ++j)
          at(i, j) -= factor * at(k, j);
        for (size_t j = 0; j < x[i].size(); ++j)
          x[i][j] -= factor * x[k][j];
      }
    }
    for (int64_t k = n_ - 1; k >= 0; --k) {
      for (size_t j = 0; j < x[k].size(); ++j) {
        for (int64_t i = k + 1; i <= std::min(n_ - 1, k + 2 * width_); ++i)
          x[k][j] -= at(k, i) * x[i][j];
        x[k][j] /= at(k, k);
      }
    }
  }

 private:
  int64_t n_, width_;
  std::vector<V> values_;
};

// Systems of m equations. Element i of system b is at b * stride + i * step of each diagonal; a
// system has `sides` right sides, which lie `ld` apart.
struct Systems {
  std::array<const void*, 5> diagonals;  // from the lowest; null for a missing diagonal
  void* x;
  cudaDataType type;
  int64_t m, count, stride, step, sides, ld;
  bool exchanges_rows;
};

// All elements of an array, including other systems' elements between a system's elements.
template <typename V>
std::vector<V> read_all(Call& call, const Systems& of, const void* data) {
  const int64_t count = (of.count - 1) * of.stride + (of.m - 1) * of.step + 1;
  if (of.step == 1 && of.stride > of.m) {  // the array has gaps
    const auto bytes = static_cast<int64_t>(bytes_of(of.type));
    call.reads(static_cast<const char*>(data), of.m * bytes, of.count, of.stride * bytes,
               "diagonal");
    return call.valid ? load<V>(data, of.type, count) : std::vector<V>(static_cast<size_t>(count));
  }
  return read_values<V>(call, data, of.type, count, "diagonal");
}

// The used places of x.
Indices places_of(const Systems& of) {
  Indices places;
  for (int64_t b = 0; b < of.count; ++b) {
    for (int64_t side = 0; side < of.sides; ++side) {
      for (int64_t i = 0; i < of.m; ++i)
        places.push_back(b * of.stride + side * of.ld + i * of.step);
    }
  }
  return places;
}

template <typename V>
void solve_systems(Call& call, const Systems& of) {
  std::array<std::vector<V>, 5> diagonals;
  for (size_t d = 0; d < diagonals.size(); ++d)
    if (of.diagonals[d]) diagonals[d] = read_all<V>(call, of, of.diagonals[d]);
  const Indices places = places_of(of);
  look_at_places(call, of.x, of.type, places, "right sides", true, true);
  if (!call.valid || places.empty()) return;
  const std::vector<V> right =
      load<V>(of.x, of.type, *std::max_element(places.begin(), places.end()) + 1);
  const int64_t width = of.diagonals[0] ? 2 : 1;
  for (int64_t b = 0; b < of.count; ++b) {
    Band<V> band(of.m, width);
    std::vector<std::vector<V>> x(static_cast<size_t>(of.m));
    for (int64_t i = 0; i < of.m; ++i) {
      const int64_t place = b * of.stride + i * of.step;
      for (int64_t d = -width; d <= width; ++d)
        if (i + d >= 0 && i + d < of.m) band.at(i, i + d) = diagonals[d + 2][place];
      for (int64_t side = 0; side < of.sides; ++side)
        x[i].push_back(right[place + side * of.ld]);
    }
    band.solve(x, of.exchanges_rows);
    for (int64_t i = 0; i < of.m; ++i) {
      for (int64_t side = 0; side < of.sides; ++side)
        store(of.x, of.type, b * of.stride + i * of.step + side * of.ld, x[i][side]);
    }
  }
}

cusparseStatus_t solve_band(cusparseHandle_t handle, const char* name, const Systems& systems) {
  const bool valid = systems.m >= 1 && systems.count >= 1 && systems.sides >= 0 &&
                     systems.ld >= 0 && systems.stride >= 0;
  if (const auto error = check(handle, valid)) return error;
  return run(handle, name, [systems](Call& call) {
    with_numbers(is_complex(systems.type),
                 [&](auto number) { solve_systems<decltype(number)>(call, systems); });
  });
}

}  // namespace

#define SOLVE_BANDS(L, T, type)                                                                    \
  cusparseStatus_t cusparse##L##gtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const T*,   \
                                                    const T*, const T*, const T*, int,             \
                                                    size_t* bytes) {                               \
    return buffer_size(handle, bytes);                                                             \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl,          \
                                      const T* d, const T* du, T* b, int ldb, void*) {             \
    if (ldb < m) return CUSPARSE_STATUS_INVALID_VALUE;                                             \
    return solve_band(handle, __func__,                                                            \
                      {{nullptr, dl, d, du, nullptr}, b, type, m, 1, 0, 1, n, ldb, true});         \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int,     \
                                                            const T*, const T*, const T*,          \
                                                            const T*, int, size_t* bytes) {        \
    return buffer_size(handle, bytes);                                                             \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl,  \
                                              const T* d, const T* du, T* b, int ldb, void*) {     \
    if (ldb < m) return CUSPARSE_STATUS_INVALID_VALUE;                                             \
    return solve_band(handle, __func__,                                                            \
                      {{nullptr, dl, d, du, nullptr}, b, type, m, 1, 0, 1, n, ldb, false});        \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch_bufferSizeExt(                                   \
      cusparseHandle_t handle, int, const T*, const T*, const T*, const T*, int, int,              \
      size_t* bytes) {                                                                             \
    return buffer_size(handle, bytes);                                                             \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl,     \
                                                  const T* d, const T* du, T* x, int count,        \
                                                  int stride, void*) {                             \
    if (stride < m) return CUSPARSE_STATUS_INVALID_VALUE;                                          \
    return solve_band(handle, __func__,                                                            \
                      {{nullptr, dl, d, du, nullptr}, x, type, m, count, stride, 1, 1, 0, false}); \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int, int, const T*, const T*, const T*, const T*, int,              \
      size_t* bytes) {                                                                             \
    return buffer_size(handle, bytes);                                                             \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m,     \
                                                     T* dl, T* d, T* du, T* x, int count, void*) { \
    return solve_band(                                                                             \
        handle, __func__,                                                                          \
        {{nullptr, dl, d, du, nullptr}, x, type, m, count, 1, count, 1, 0, algo != 0});            \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gpsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int, int, const T*, const T*, const T*, const T*, const T*,         \
      const T*, int, size_t* bytes) {                                                              \
    return buffer_size(handle, bytes);                                                             \
  }                                                                                                \
  cusparseStatus_t cusparse##L##gpsvInterleavedBatch(cusparseHandle_t handle, int, int m, T* ds,   \
                                                     T* dl, T* d, T* du, T* dw, T* x, int count,   \
                                                     void*) {                                      \
    return solve_band(handle, __func__,                                                            \
                      {{ds, dl, d, du, dw}, x, type, m, count, 1, count, 1, 0, true});             \
  }
SOLVE_BANDS(S, float, CUDA_R_32F)
SOLVE_BANDS(D, double, CUDA_R_64F)
SOLVE_BANDS(C, cuComplex, CUDA_C_32F)
SOLVE_BANDS(Z, cuDoubleComplex, CUDA_C_64F)
#undef SOLVE_BANDS
