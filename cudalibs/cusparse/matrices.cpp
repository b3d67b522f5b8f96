#include "cusparse/matrices.h"

#include <algorithm>
#include <numeric>

#include "common/core.h"

namespace cudacpu::sparse {
namespace {

void* shifted(void* data, int64_t elements, size_t bytes) {
  return static_cast<char*>(data) + elements * static_cast<int64_t>(bytes);
}

// Entries of a matrix in the order of the matrix's arrays.
struct Entries {
  Indices row, column, place;
  void add(int64_t in_row, int64_t in_column, int64_t at) {
    row.push_back(in_row);
    column.push_back(in_column);
    place.push_back(at);
  }
};

Indices read_offsets(Call& call, const cusparseSpMatDescr& a, int64_t lines) {
  Indices offsets =
      read_indices(call, a.offsets, a.offset_type, lines + 1, a.base, "offsets of a matrix");
  check_offsets(call, offsets, a.nnz);
  return offsets;
}

Indices read_entry_indices(Call& call, const cusparseSpMatDescr& a, int64_t count) {
  return read_indices(call, a.indices, a.index_type, count, a.base, "indices of a matrix");
}

// CSR, and CSC, which is the CSR of the transposed matrix.
void list_lines(Call& call, const cusparseSpMatDescr& a, Entries& entries) {
  const bool by_row = a.format == CUSPARSE_FORMAT_CSR;
  const int64_t lines = by_row ? a.rows : a.columns;
  const Indices offsets = read_offsets(call, a, lines);
  if (!call.valid) return;
  const Indices indices = read_entry_indices(call, a, offsets[lines]);
  if (!check_indices(call, indices, by_row ? a.columns : a.rows, "indices of a matrix")) return;
  for (int64_t line = 0; line < lines; ++line) {
    for (int64_t i = offsets[line]; i < offsets[line + 1]; ++i)
      by_row ? entries.add(line, indices[i], i) : entries.add(indices[i], line, i);
  }
}

void list_coordinates(Call& call, const cusparseSpMatDescr& a, Entries& entries) {
  entries.row =
      read_indices(call, a.offsets, a.index_type, a.nnz, a.base, "row indices of a matrix");
  entries.column = read_entry_indices(call, a, a.nnz);
  check_indices(call, entries.row, a.rows, "row indices of a matrix");
  check_indices(call, entries.column, a.columns, "column indices of a matrix");
  entries.place.resize(entries.row.size());
  std::iota(entries.place.begin(), entries.place.end(), 0);
}

void list_blocks(Call& call, const cusparseSpMatDescr& a, Entries& entries) {
  const int64_t m = a.block_rows, n = a.block_columns;
  const Indices offsets = read_offsets(call, a, a.rows / m);
  if (!call.valid) return;
  const Indices indices = read_entry_indices(call, a, offsets.back());
  if (!check_indices(call, indices, a.columns / n, "indices of blocks")) return;
  const bool by_row = a.order == CUSPARSE_ORDER_ROW;
  for (int64_t row = 0; row < a.rows / m; ++row) {
    for (int64_t b = offsets[row]; b < offsets[row + 1]; ++b) {
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j)
          entries.add(row * m + i, indices[b] * n + j,
                      b * m * n + (by_row ? i * n + j : j * m + i));
      }
    }
  }
}

void list_blocked_ell(Call& call, const cusparseSpMatDescr& a, Entries& entries) {
  const int64_t size = a.block_rows, in_row = a.width / size;
  const Indices indices = read_entry_indices(call, a, a.rows / size * in_row);
  for (size_t b = 0; b < indices.size(); ++b) {
    if (indices[b] < 0) continue;  // no block
    if (!check_indices(call, {indices[b]}, (a.columns + size - 1) / size, "indices of blocks"))
      return;
    const auto number = static_cast<int64_t>(b);
    for (int64_t i = 0; i < size; ++i) {
      const int64_t row = number / in_row * size + i;
      for (int64_t j = 0; j < size && indices[b] * size + j < a.columns; ++j)
        entries.add(row, indices[b] * size + j, row * a.width + number % in_row * size + j);
    }
  }
}

void list_slices(Call& call, const cusparseSpMatDescr& a, Entries& entries) {
  const int64_t height = a.block_rows, slices = (a.rows + height - 1) / height;
  const Indices offsets = read_offsets(call, a, slices);
  if (!call.valid) return;
  const Indices indices = read_entry_indices(call, a, offsets.back());
  for (int64_t s = 0; s < slices; ++s) {
    for (int64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      const int64_t row = s * height + (i - offsets[s]) % height;
      if (row >= a.rows || indices[i] < 0) continue;  // no entry
      if (!check_indices(call, {indices[i]}, a.columns, "indices of a matrix")) return;
      entries.add(row, indices[i], i);
    }
  }
}

// Moves values of entries together with the entries.
Indices reordered(const Indices& values, const Indices& order) {
  Indices result;
  result.reserve(order.size());
  for (const int64_t i : order)
    result.push_back(values[i]);
  return result;
}

}  // namespace

cusparseDnMatDescr member(cusparseDnMatDescr matrix, int number) {
  if (matrix.count > 1)
    matrix.values = shifted(matrix.values, number * matrix.stride, bytes_of(matrix.type));
  return matrix;
}

cusparseSpMatDescr member(cusparseSpMatDescr matrix, int number) {
  if (matrix.count <= 1) return matrix;
  matrix.offsets =
      shifted(matrix.offsets, number * matrix.offsets_stride, bytes_of(matrix.offset_type));
  matrix.indices =
      shifted(matrix.indices, number * matrix.indices_stride, bytes_of(matrix.index_type));
  matrix.values = shifted(matrix.values, number * matrix.values_stride, bytes_of(matrix.type));
  return matrix;
}

Pattern make_pattern(int64_t rows, int64_t columns, const Indices& row, const Indices& column,
                     const Indices& place) {
  Pattern pattern{rows, columns, Indices(static_cast<size_t>(rows) + 1), column, place};
  for (const int64_t i : row)
    ++pattern.offsets[i + 1];
  std::partial_sum(pattern.offsets.begin(), pattern.offsets.end(), pattern.offsets.begin());
  if (std::is_sorted(row.begin(), row.end())) return pattern;
  Indices next = pattern.offsets, order(row.size());
  for (size_t i = 0; i < row.size(); ++i)
    order[next[row[i]]++] = static_cast<int64_t>(i);
  pattern.column = reordered(column, order);
  pattern.place = reordered(place, order);
  return pattern;
}

Pattern transposed(const Pattern& pattern) {
  Indices row;
  row.reserve(pattern.column.size());
  pattern.for_each([&](int64_t i, int64_t, int64_t) { row.push_back(i); });
  return make_pattern(pattern.columns, pattern.rows, pattern.column, row, pattern.place);
}

void sort_rows(Pattern& pattern) {
  Indices order(pattern.column.size());
  std::iota(order.begin(), order.end(), 0);
  for (int64_t row = 0; row < pattern.rows; ++row) {
    std::stable_sort(order.begin() + pattern.offsets[row], order.begin() + pattern.offsets[row + 1],
                     [&](int64_t i, int64_t j) { return pattern.column[i] < pattern.column[j]; });
  }
  pattern.column = reordered(pattern.column, order);
  pattern.place = reordered(pattern.place, order);
}

Pattern read_pattern(Call& call, const cusparseSpMatDescr& matrix) {
  Entries entries;
  switch (matrix.format) {
    case CUSPARSE_FORMAT_CSR:
    case CUSPARSE_FORMAT_CSC:
      list_lines(call, matrix, entries);
      break;
    case CUSPARSE_FORMAT_COO:
      list_coordinates(call, matrix, entries);
      break;
    case CUSPARSE_FORMAT_BSR:
      list_blocks(call, matrix, entries);
      break;
    case CUSPARSE_FORMAT_BLOCKED_ELL:
      list_blocked_ell(call, matrix, entries);
      break;
    case CUSPARSE_FORMAT_SLICED_ELLPACK:
      list_slices(call, matrix, entries);
      break;
  }
  if (!call.valid) entries = {};
  return make_pattern(matrix.rows, matrix.columns, entries.row, entries.column, entries.place);
}

template <typename V>
std::vector<V> read_entries(Call& call, const cusparseSpMatDescr& matrix, const Pattern& pattern) {
  look_at_places(call, matrix.values, matrix.type, pattern.place, "values of a matrix", true,
                 false);
  std::vector<V> values(pattern.place.size());
  if (!call.valid || values.empty()) return values;
  const int64_t last = *std::max_element(pattern.place.begin(), pattern.place.end());
  const std::vector<V> all = load<V>(matrix.values, matrix.type, last + 1);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = all[pattern.place[i]];
  return values;
}
template std::vector<double> read_entries(Call&, const cusparseSpMatDescr&, const Pattern&);
template std::vector<Complex> read_entries(Call&, const cusparseSpMatDescr&, const Pattern&);

template <typename V>
void write_entries(Call& call, const cusparseSpMatDescr& matrix, const Pattern& pattern,
                   const std::vector<V>& values) {
  look_at_places(call, matrix.values, matrix.type, pattern.place, "values of a matrix", false,
                 true);
  for (size_t i = 0; call.valid && i < values.size(); ++i)
    store(matrix.values, matrix.type, pattern.place[i], values[i]);
}
template void write_entries(Call&, const cusparseSpMatDescr&, const Pattern&,
                            const std::vector<double>&);
template void write_entries(Call&, const cusparseSpMatDescr&, const Pattern&,
                            const std::vector<Complex>&);

template <typename V>
Sparse<V> read_matrix(Call& call, const cusparseSpMatDescr& matrix, cusparseOperation_t op) {
  Pattern pattern = read_pattern(call, matrix);
  if (op != CUSPARSE_OPERATION_NON_TRANSPOSE) pattern = transposed(pattern);
  std::vector<V> values = read_entries<V>(call, matrix, pattern);
  if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {
    for (V& value : values)
      value = conjugate(value);
  }
  return {std::move(pattern), std::move(values)};
}
template Sparse<double> read_matrix(Call&, const cusparseSpMatDescr&, cusparseOperation_t);
template Sparse<Complex> read_matrix(Call&, const cusparseSpMatDescr&, cusparseOperation_t);

namespace {

// Rows or columns, whichever lie together: their number, their length and their distance in bytes.
void look_at(Call& call, const cusparseDnMatDescr& matrix, bool write) {
  const bool by_row = matrix.order == CUSPARSE_ORDER_ROW;
  const auto bytes = static_cast<int64_t>(bytes_of(matrix.type));
  const int64_t length = (by_row ? matrix.columns : matrix.rows) * bytes;
  const int64_t lines = by_row ? matrix.rows : matrix.columns;
  auto* const data = static_cast<char*>(matrix.values);
  if (write) {
    call.writes(data, length, lines, matrix.ld * bytes, "dense matrix", false);
  } else {
    call.reads(data, length, lines, matrix.ld * bytes, "dense matrix");
  }
}

int64_t place_of(const cusparseDnMatDescr& matrix, int64_t i, int64_t j) {
  return matrix.order == CUSPARSE_ORDER_ROW ? i * matrix.ld + j : i + j * matrix.ld;
}

}  // namespace

template <typename V>
Dense<V> read_matrix(Call& call, const cusparseDnMatDescr& matrix, cusparseOperation_t op) {
  Dense<V> result(matrix.rows, matrix.columns);
  look_at(call, matrix, false);
  if (call.valid && !result.values.empty()) {
    const int64_t last = place_of(matrix, matrix.rows - 1, matrix.columns - 1);
    const std::vector<V> all = load<V>(matrix.values, matrix.type, last + 1);
    for (int64_t i = 0; i < matrix.rows; ++i) {
      for (int64_t j = 0; j < matrix.columns; ++j)
        result.row(i)[j] = all[place_of(matrix, i, j)];
    }
  }
  if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {
    for (V& value : result.values)
      value = conjugate(value);
  }
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? result : transposed(result);
}
template Dense<double> read_matrix(Call&, const cusparseDnMatDescr&, cusparseOperation_t);
template Dense<Complex> read_matrix(Call&, const cusparseDnMatDescr&, cusparseOperation_t);

template <typename V>
void write_matrix(Call& call, const cusparseDnMatDescr& matrix, const Dense<V>& values) {
  look_at(call, matrix, true);
  if (!call.valid) return;
  for (int64_t i = 0; i < matrix.rows; ++i) {
    for (int64_t j = 0; j < matrix.columns; ++j)
      store(matrix.values, matrix.type, place_of(matrix, i, j), values.row(i)[j]);
  }
}
template void write_matrix(Call&, const cusparseDnMatDescr&, const Dense<double>&);
template void write_matrix(Call&, const cusparseDnMatDescr&, const Dense<Complex>&);

namespace {

const char* name_of(cusparseFormat_t format) {
  constexpr const char* kNames[] = {"", "CSR",         "CSC", "COO",
                                    "", "Blocked-ELL", "BSR", "Sliced ELL"};
  const auto number = static_cast<size_t>(format);
  return number < std::size(kNames) ? kNames[number] : "";
}

const char* name_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return "CUDA_R_8I";
    case CUDA_R_32I:
      return "CUDA_R_32I";
    case CUDA_R_16F:
      return "CUDA_R_16F";
    case CUDA_R_16BF:
      return "CUDA_R_16BF";
    case CUDA_R_32F:
      return "CUDA_R_32F";
    case CUDA_R_64F:
      return "CUDA_R_64F";
    case CUDA_C_32F:
      return "CUDA_C_32F";
    case CUDA_C_64F:
      return "CUDA_C_64F";
    default:
      return "another type";
  }
}

}  // namespace

bool is_allowed(cusparseOperation_t op, cudaDataType type) {
  return op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || is_complex(type);
}

bool is_supported(const char* name, cusparseFormat_t format,
                  std::initializer_list<cusparseFormat_t> formats) {
  if (std::find(formats.begin(), formats.end(), format) != formats.end()) return true;
  explain("%s: cuSPARSE does not do this with a sparse matrix in the format %s", name,
          name_of(format));
  return false;
}

bool is_supported(const char* name, cudaDataType a, cudaDataType b, cudaDataType result,
                  cudaDataType compute) {
  static const cudaDataType kTypes[][4] = {
      // A, B, the result, factors and sums
      {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
      {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
      {CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
      {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
      {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
      {CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
      {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
  };
  for (const auto& row : kTypes) {
    if (row[0] == a && row[1] == b && row[2] == result && row[3] == compute) return true;
  }
  explain("%s: cuSPARSE does not compute %s from %s and %s with factors and sums in %s", name,
          name_of(result), name_of(a), name_of(b), name_of(compute));
  return false;
}

}  // namespace cudacpu::sparse
