// Matrices in the form of computations: sparse matrices row by row, whatever their format, and
// dense matrices without gaps.
#pragma once

#include <initializer_list>

#include "cusparse/descriptors.h"
#include "cusparse/values.h"

namespace cudacpu::sparse {

// A matrix of a batch.
cusparseDnMatDescr member(cusparseDnMatDescr matrix, int number);
cusparseSpMatDescr member(cusparseSpMatDescr matrix, int number);

// The places of a sparse matrix's entries, row by row, whatever the format.
struct Pattern {
  int64_t rows = 0, columns = 0;
  Indices offsets;  // of each row, and of the end
  Indices column;   // of each entry
  Indices place;    // of the entry's value in the program's array

  int64_t size() const { return static_cast<int64_t>(column.size()); }
  // Calls function(row, column, number) for each entry.
  template <typename Function>
  void for_each(Function function) const {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i)
        function(row, column[i], i);
    }
  }
};

// A pattern of entries listed in any order; the entries of a row keep their order.
Pattern make_pattern(int64_t rows, int64_t columns, const Indices& row, const Indices& column,
                     const Indices& place);
Pattern transposed(const Pattern& pattern);
// The columns of each row in ascending order.
void sort_rows(Pattern& pattern);

// Reads the indices of a matrix.
Pattern read_pattern(Call& call, const cusparseSpMatDescr& matrix);

template <typename V>
struct Sparse : Pattern {
  std::vector<V> value;
};

// Reads op(A).
template <typename V>
Sparse<V> read_matrix(Call& call, const cusparseSpMatDescr& matrix,
                      cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE);
// Reads or writes the values of all entries of a pattern.
template <typename V>
std::vector<V> read_entries(Call& call, const cusparseSpMatDescr& matrix, const Pattern& pattern);
template <typename V>
void write_entries(Call& call, const cusparseSpMatDescr& matrix, const Pattern& pattern,
                   const std::vector<V>& values);

// A dense matrix without gaps, row by row.
template <typename V>
struct Dense {
  int64_t rows, columns;
  std::vector<V> values;

  Dense(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), values(static_cast<size_t>(rows * columns)) {}
  V* row(int64_t i) { return values.data() + i * columns; }
  const V* row(int64_t i) const { return values.data() + i * columns; }
};

template <typename V>
Dense<V> transposed(const Dense<V>& from) {
  Dense<V> to(from.columns, from.rows);
  for (int64_t i = 0; i < from.rows; ++i) {
    for (int64_t j = 0; j < from.columns; ++j)
      to.row(j)[i] = from.row(i)[j];
  }
  return to;
}

template <typename V>
Dense<V> read_matrix(Call& call, const cusparseDnMatDescr& matrix,
                     cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE);
template <typename V>
void write_matrix(Call& call, const cusparseDnMatDescr& matrix, const Dense<V>& values);

// The size of op(A).
template <typename Matrix>
int64_t rows_of(const Matrix& matrix, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.rows : matrix.columns;
}
template <typename Matrix>
int64_t columns_of(const Matrix& matrix, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.columns : matrix.rows;
}

// Conjugates of real numbers are refused.
bool is_allowed(cusparseOperation_t op, cudaDataType type);

// Whether a computation supports matrices of the format; explains the error if not.
bool is_supported(const char* name, cusparseFormat_t format,
                  std::initializer_list<cusparseFormat_t> formats);

// Whether a computation supports the types of operands, result and factors; explains the error if
// not.
bool is_supported(const char* name, cudaDataType a, cudaDataType b, cudaDataType result,
                  cudaDataType compute);

}  // namespace cudacpu::sparse
