// What the programs about cuSPARSE share: small matrices, stored in every format, and dense
// matrices to compare with.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>

#include <complex>
#include <memory>
#include <vector>

#include "../../cpudevice/run/check.h"

#define SPARSE(call)                                                                  \
  do {                                                                                \
    const cusparseStatus_t status = (call);                                           \
    if (status != CUSPARSE_STATUS_SUCCESS)                                            \
      printf("line %d: %s gave %s\n", __LINE__, #call, cusparseGetErrorName(status)); \
  } while (0)

using Complex = std::complex<double>;

constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseOperation_t kOperations[] = {kPlain, CUSPARSE_OPERATION_TRANSPOSE,
                                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

inline bool is_complex(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}

inline size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 4;
  }
}

// Numbers of a type, which the host and the device can use.
struct Values {
  cudaDataType type;
  size_t count;
  char* data = nullptr;

  Values(cudaDataType type, const std::vector<Complex>& from) : type(type), count(from.size()) {
    CHECK_OK(cudaMallocManaged(&data, count * bytes_of(type) + 1));
    for (size_t i = 0; i < count; ++i)
      set(i, from[i]);
  }
  Values(const Values&) = delete;
  ~Values() { cudaFree(data); }

  void set(size_t i, Complex z) {
    void* const place = data + i * bytes_of(type);
    const auto x = static_cast<float>(z.real());
    if (type == CUDA_R_8I) *static_cast<signed char*>(place) = static_cast<signed char>(x);
    if (type == CUDA_R_32I) *static_cast<int*>(place) = static_cast<int>(x);
    if (type == CUDA_R_16F) *static_cast<__half*>(place) = __float2half(x);
    if (type == CUDA_R_16BF) *static_cast<__nv_bfloat16*>(place) = __float2bfloat16(x);
    if (type == CUDA_R_32F) *static_cast<float*>(place) = x;
    if (type == CUDA_R_64F) *static_cast<double*>(place) = z.real();
    if (type == CUDA_C_32F) *static_cast<std::complex<float>*>(place) = std::complex<float>(z);
    if (type == CUDA_C_64F) *static_cast<Complex*>(place) = z;
  }
  Complex get(size_t i) const {
    const void* const place = data + i * bytes_of(type);
    if (type == CUDA_R_8I) return *static_cast<const signed char*>(place);
    if (type == CUDA_R_32I) return *static_cast<const int*>(place);
    if (type == CUDA_R_16F) return __half2float(*static_cast<const __half*>(place));
    if (type == CUDA_R_16BF) return __bfloat162float(*static_cast<const __nv_bfloat16*>(place));
    if (type == CUDA_R_32F) return *static_cast<const float*>(place);
    if (type == CUDA_R_64F) return *static_cast<const double*>(place);
    if (type == CUDA_C_32F) return Complex(*static_cast<const std::complex<float>*>(place));
    return *static_cast<const Complex*>(place);
  }
};

// Indices of 32 or 64 bits, counted from `base`.
struct IndexArray {
  bool wide;
  int base;
  void* data = nullptr;

  IndexArray(const std::vector<int>& from, bool wide, int base) : wide(wide), base(base) {
    CHECK_OK(cudaMallocManaged(&data, from.size() * 8 + 1));
    for (size_t i = 0; i < from.size(); ++i) {
      if (wide) static_cast<long long*>(data)[i] = from[i] + base;
      if (!wide) static_cast<int*>(data)[i] = from[i] + base;
    }
  }
  IndexArray(const IndexArray&) = delete;
  ~IndexArray() { cudaFree(data); }
  int get(size_t i) const {
    return wide ? static_cast<int>(static_cast<long long*>(data)[i]) - base
                : static_cast<int*>(data)[i] - base;
  }
};

// A matrix on the host, row by row.
struct Matrix {
  int rows, columns;
  std::vector<Complex> values;

  Matrix(int rows, int columns)
      : rows(rows), columns(columns), values(static_cast<size_t>(rows) * columns) {}
  Complex& at(int i, int j) { return values[static_cast<size_t>(i) * columns + j]; }
  Complex at(int i, int j) const { return values[static_cast<size_t>(i) * columns + j]; }
  int entries() const {
    int n = 0;
    for (const Complex& z : values)
      n += z != Complex(0);
    return n;
  }
};

inline Matrix op(cusparseOperation_t how, const Matrix& a) {
  if (how == kPlain) return a;
  Matrix turned(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j)
      turned.at(j, i) = how == CUSPARSE_OPERATION_TRANSPOSE ? a.at(i, j) : std::conj(a.at(i, j));
  }
  return turned;
}

// alpha A B + beta C
inline Matrix product(Complex alpha, const Matrix& a, const Matrix& b, Complex beta,
                      const Matrix& c) {
  Matrix sum(c.rows, c.columns);
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      for (int k = 0; k < a.columns; ++k)
        sum.at(i, j) += alpha * a.at(i, k) * b.at(k, j);
      sum.at(i, j) += beta * c.at(i, j);
    }
  }
  return sum;
}

// Small numbers, so that sums of halves are exact.
inline Complex number(int i, cudaDataType type) {
  return Complex(i * 7 % 5 - 2, is_complex(type) ? i * 3 % 5 - 2 : 0);
}

inline Matrix dense(int rows, int columns, cudaDataType type, int seed = 0) {
  Matrix a(rows, columns);
  for (size_t i = 0; i < a.values.size(); ++i)
    a.values[i] = number(static_cast<int>(i) + seed, type);
  return a;
}

// Every third element, and no row 2.
inline Matrix sparse(int rows, int columns, cudaDataType type, int seed = 0) {
  Matrix a = dense(rows, columns, type, seed);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      if (i == 2 || (i * 5 + j * 7 + i * j + seed) % 3 != 0) a.at(i, j) = 0;
  }
  return a;
}

// A dense matrix on the device, with gaps.
struct OnDevice {
  int rows, columns, ld;
  cusparseOrder_t order;
  Values values;
  cusparseDnMatDescr_t descriptor;

  OnDevice(const Matrix& a, cudaDataType type, cusparseOrder_t order)
      : rows(a.rows),
        columns(a.columns),
        ld((order == CUSPARSE_ORDER_ROW ? columns : rows) + 3),
        order(order),
        values(type, std::vector<Complex>(
                         static_cast<size_t>(ld) * (order == CUSPARSE_ORDER_ROW ? rows : columns),
                         Complex(99))) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j)
        values.set(place(i, j), a.at(i, j));
    }
    SPARSE(cusparseCreateDnMat(&descriptor, rows, columns, ld, values.data, type, order));
  }
  ~OnDevice() { SPARSE(cusparseDestroyDnMat(descriptor)); }
  size_t place(int i, int j) const {
    return static_cast<size_t>(order == CUSPARSE_ORDER_ROW ? i * ld + j : i + j * ld);
  }
  Matrix get() const {
    Matrix a(rows, columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j)
        a.at(i, j) = values.get(place(i, j));
    }
    return a;
  }
  bool keeps_gaps() const {
    size_t gaps = 0;
    for (size_t i = 0; i < values.count; ++i)
      gaps += values.get(i) == Complex(99);
    return gaps == values.count - static_cast<size_t>(rows) * columns;
  }
};

// A sparse matrix on the device. Blocks are 3x3, in Blocked-ELL 2x2, slices have 2 rows.
struct Stored {
  std::unique_ptr<IndexArray> offsets, indices;
  std::unique_ptr<Values> values;
  cusparseSpMatDescr_t descriptor;

  Stored(const Matrix& a, cusparseFormat_t format, cudaDataType type, bool wide = false,
         cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO) {
    const auto index = wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    std::vector<int> off{0}, ind;
    std::vector<Complex> val;
    const auto keep = [&] {
      offsets = std::make_unique<IndexArray>(off, wide, base);
      indices = std::make_unique<IndexArray>(ind, wide, base);
      values = std::make_unique<Values>(type, val);
    };
    if (format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC) {
      const bool by_row = format == CUSPARSE_FORMAT_CSR;
      const Matrix lines = by_row ? a : op(CUSPARSE_OPERATION_TRANSPOSE, a);
      list(lines, 1, 1, CUSPARSE_ORDER_ROW, off, ind, val);
      keep();
      const auto create = by_row ? cusparseCreateCsr : cusparseCreateCsc;
      SPARSE(create(&descriptor, a.rows, a.columns, a.entries(), offsets->data, indices->data,
                    values->data, index, index, base, type));
    } else if (format == CUSPARSE_FORMAT_COO) {
      list(a, 1, 1, CUSPARSE_ORDER_ROW, off, ind, val);
      std::vector<int> rows;
      for (int i = 0; i < a.rows; ++i)
        rows.insert(rows.end(), off[i + 1] - off[i], i);
      off = rows;
      keep();
      SPARSE(cusparseCreateCoo(&descriptor, a.rows, a.columns, a.entries(), offsets->data,
                               indices->data, values->data, index, base, type));
    } else if (format == CUSPARSE_FORMAT_BSR) {
      const auto order = wide ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
      list(a, 2, 2, order, off, ind, val);
      keep();
      SPARSE(cusparseCreateBsr(&descriptor, a.rows / 2, a.columns / 2, static_cast<int>(ind.size()),
                               2, 2, offsets->data, indices->data, values->data, index, index, base,
                               type, order));
    } else if (format == CUSPARSE_FORMAT_BLOCKED_ELL) {
      // The last block first; zero blocks are left out.
      const int in_row = a.columns / 2;
      val.assign(static_cast<size_t>(a.rows) * a.columns, Complex(0));
      for (int row = 0; row < a.rows / 2; ++row) {
        int found = 0;
        for (int block = in_row - 1; block >= 0; --block) {
          bool is_zero = true;
          for (int i = 0; i < 4; ++i)
            is_zero = is_zero && a.at(row * 2 + i / 2, block * 2 + i % 2) == Complex(0);
          if (is_zero) continue;
          for (int i = 0; i < 4; ++i)
            val[(row * 2 + i / 2) * a.columns + found * 2 + i % 2] =
                a.at(row * 2 + i / 2, block * 2 + i % 2);
          ind.push_back(block);
          ++found;
        }
        for (; found < in_row; ++found)
          ind.push_back(-1 - base);
      }
      keep();
      SPARSE(cusparseCreateBlockedEll(&descriptor, a.rows, a.columns, 2, a.columns, indices->data,
                                      values->data, index, base, type));
    } else {
      slice(a, base, off, ind, val);
      keep();
      SPARSE(cusparseCreateSlicedEll(&descriptor, a.rows, a.columns, a.entries(), off.back(), 2,
                                     offsets->data, indices->data, values->data, index, index, base,
                                     type));
    }
  }
  ~Stored() { SPARSE(cusparseDestroySpMat(descriptor)); }

 private:
  // The blocks with elements besides 0, row by row.
  static void list(const Matrix& a, int m, int n, cusparseOrder_t order, std::vector<int>& offsets,
                   std::vector<int>& indices, std::vector<Complex>& values) {
    for (int row = 0; row < a.rows / m; ++row) {
      for (int column = 0; column < a.columns / n; ++column) {
        std::vector<Complex> block;
        bool is_zero = true;
        for (int i = 0; i < m * n; ++i) {
          const bool by_row = order == CUSPARSE_ORDER_ROW;
          const Complex z =
              a.at(row * m + (by_row ? i / n : i % m), column * n + (by_row ? i % n : i / m));
          block.push_back(z);
          is_zero = is_zero && z == Complex(0);
        }
        if (is_zero) continue;
        indices.push_back(column);
        values.insert(values.end(), block.begin(), block.end());
      }
      offsets.push_back(static_cast<int>(indices.size()));
    }
  }
  static void slice(const Matrix& a, int base, std::vector<int>& offsets, std::vector<int>& indices,
                    std::vector<Complex>& values) {
    for (int first = 0; first < a.rows; first += 2) {
      std::vector<std::vector<int>> columns(2);
      for (int i = first; i < first + 2 && i < a.rows; ++i) {
        for (int j = 0; j < a.columns; ++j)
          if (a.at(i, j) != Complex(0)) columns[i - first].push_back(j);
      }
      const size_t width = std::max(columns[0].size(), columns[1].size());
      for (size_t k = 0; k < 2 * width; ++k) {
        const std::vector<int>& in_row = columns[k % 2];
        const bool is_there = k / 2 < in_row.size();
        indices.push_back(is_there ? in_row[k / 2] : -1 - base);
        values.push_back(is_there ? a.at(first + static_cast<int>(k % 2), in_row[k / 2])
                                  : Complex(77));
      }
      offsets.push_back(static_cast<int>(indices.size()));
    }
  }
};

inline double difference(const Matrix& a, const Matrix& b) {
  if (a.rows != b.rows || a.columns != b.columns) return 1e9;
  double most = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const double here = std::abs(a.values[i] - b.values[i]);
    if (!(here <= most)) most = here;
  }
  return most;
}

// The work memory of functions.
struct Buffer {
  void* data = nullptr;
  explicit Buffer(size_t bytes) { CHECK_OK(cudaMalloc(&data, bytes + 1)); }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(data); }
};
