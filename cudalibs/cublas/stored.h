// Matrices of which not every element is stored: bands, triangles, and triangles without gaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cublas/call.h"
#include "cublas/number.h"

namespace cudacpu::blas {

enum class Shape { kGeneral, kSymmetric, kHermitian, kTriangular };

inline bool is_stored(cublasFillMode_t fill, int64_t i, int64_t j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

// Where the elements of a matrix lie. The stored elements of a column lie one after the other.
template <typename T>
class Matrix {
 public:
  static Matrix general(const T* a, int rows, int columns, int ld) {
    Matrix matrix(a, rows, columns, Shape::kGeneral, CUBLAS_FILL_MODE_LOWER);
    matrix.ld_ = ld;
    return matrix;
  }
  // A matrix A for an op(A) of `rows` rows and `columns` columns.
  static Matrix operand(const T* a, cublasOperation_t op, int rows, int columns, int ld) {
    const bool turned = op != CUBLAS_OP_N;
    return general(a, turned ? columns : rows, turned ? rows : columns, ld);
  }
  // A band of `below` diagonals under the main diagonal and `above` over the main diagonal; `ld`
  // elements hold a column of the band.
  static Matrix general_band(const T* a, int rows, int columns, int below, int above, int ld) {
    Matrix matrix = general(a, rows, columns, ld);
    matrix.storage_ = Storage::kBand;
    matrix.below_ = below;
    matrix.above_ = above;
    return matrix;
  }
  static Matrix half(const T* a, Shape shape, cublasFillMode_t fill, int n, int ld) {
    Matrix matrix(a, n, n, shape, fill);
    matrix.ld_ = ld;
    return matrix;
  }
  static Matrix half_band(const T* a, Shape shape, cublasFillMode_t fill, int n, int diagonals,
                          int ld) {
    Matrix matrix = half(a, shape, fill, n, ld);
    matrix.storage_ = Storage::kBand;
    (fill == CUBLAS_FILL_MODE_LOWER ? matrix.below_ : matrix.above_) = diagonals;
    return matrix;
  }
  // The columns of a triangle without gaps.
  static Matrix half_packed(const T* a, Shape shape, cublasFillMode_t fill, int n) {
    Matrix matrix(a, n, n, shape, fill);
    matrix.storage_ = Storage::kPacked;
    return matrix;
  }
  Matrix with_diagonal(cublasDiagType_t diagonal) const {
    Matrix matrix = *this;
    matrix.unit_ = diagonal == CUBLAS_DIAG_UNIT;
    return matrix;
  }

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  bool is_lower() const { return fill_ == CUBLAS_FILL_MODE_LOWER; }
  bool valid() const {
    if (rows_ < 0 || columns_ < 0 || below_ < 0 || above_ < 0) return false;
    switch (storage_) {
      case Storage::kFull:
        return ld_ >= std::max(int64_t{1}, rows_);
      case Storage::kBand:
        return ld_ >= below_ + above_ + 1;
      default:
        return true;
    }
  }

  bool has(int64_t i, int64_t j) const {
    if (shape_ != Shape::kGeneral && !is_stored(fill_, i, j)) return false;
    return storage_ != Storage::kBand || (i - j <= below_ && j - i <= above_);
  }
  int64_t index(int64_t i, int64_t j) const {
    switch (storage_) {
      case Storage::kFull:
        return i + j * ld_;
      case Storage::kBand:
        return above_ + i - j + j * ld_;
      default:
        return is_lower() ? i + (2 * rows_ - j - 1) * j / 2 : i + j * (j + 1) / 2;
    }
  }

  // Checks the stored elements, and reports them as read or written; the others may hold anything.
  void look(Call& call, const char* role, bool reads, bool writes) const {
    if (rows_ == 0 || columns_ == 0) return;
    call.checks(a_, index(last_row(columns_ - 1), columns_ - 1) + 1, role);
    if (shape_ == Shape::kGeneral && storage_ == Storage::kFull) {
      call.transfers(a_, rows_, columns_, ld_, reads, writes);
      return;
    }
    const int64_t under = unit_ && is_lower(), over = unit_ && !is_lower();  // not the diagonal
    for (int64_t j = 0; j < columns_; ++j) {
      const int64_t first = first_row(j) + under, count = last_row(j) - over - first + 1;
      if (count > 0) call.transfers(a_ + index(first, j), count, 1, count, reads, writes);
    }
  }

  // Returns all elements of op(A), column by column without gaps.
  template <typename To = Sum<T>>
  std::vector<To> whole(cublasOperation_t op = CUBLAS_OP_N) const {
    const bool turned = op != CUBLAS_OP_N;
    const int64_t m = turned ? columns_ : rows_, n = turned ? rows_ : columns_;
    std::vector<To> all(static_cast<size_t>(m * n));
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        const To value = static_cast<To>(turned ? element(j, i) : element(i, j));
        all[static_cast<size_t>(i + j * m)] = op == CUBLAS_OP_C ? conjugate(value) : value;
      }
    }
    return all;
  }

 private:
  enum class Storage { kFull, kBand, kPacked };

  Matrix(const T* a, int rows, int columns, Shape shape, cublasFillMode_t fill)
      : a_(a), rows_(rows), columns_(columns), shape_(shape), fill_(fill) {}

  int64_t first_row(int64_t j) const {
    const int64_t of_triangle = shape_ != Shape::kGeneral && is_lower() ? j : 0;
    return storage_ == Storage::kBand ? std::max(of_triangle, j - above_) : of_triangle;
  }
  int64_t last_row(int64_t j) const {
    const int64_t of_triangle = shape_ != Shape::kGeneral && !is_lower() ? j : rows_ - 1;
    return storage_ == Storage::kBand ? std::min(of_triangle, j + below_) : of_triangle;
  }
  Sum<T> element(int64_t i, int64_t j) const {
    if (i == j && unit_) return Sum<T>(1);
    if (has(i, j)) {
      const Sum<T> value = Number<T>::load(a_[index(i, j)]);
      return i == j && shape_ == Shape::kHermitian ? real_part(value) : value;
    }
    if (shape_ == Shape::kGeneral || shape_ == Shape::kTriangular || !has(j, i)) return Sum<T>(0);
    const Sum<T> other = Number<T>::load(a_[index(j, i)]);
    return shape_ == Shape::kHermitian ? conjugate(other) : other;
  }

  const T* a_;
  int64_t rows_, columns_, ld_ = 0, below_ = 0, above_ = 0;
  Shape shape_;
  cublasFillMode_t fill_;
  Storage storage_ = Storage::kFull;
  bool unit_ = false;
};

// Solves A x = b in place. A is triangular, of n columns without gaps; x's elements lie `inc`
// apart.
template <typename T>
void solve(const std::vector<Sum<T>>& a, bool is_lower, int64_t n, T* x, int64_t inc) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = is_lower ? step : n - 1 - step;
    Sum<T> value = Number<T>::load(x[i * inc]);
    for (int64_t j = is_lower ? 0 : i + 1; j < (is_lower ? i : n); ++j)
      value -= a[i + j * n] * Number<T>::load(x[j * inc]);
    Number<T>::store(x[i * inc], value / a[i + i * n]);
  }
}

}  // namespace cudacpu::blas
