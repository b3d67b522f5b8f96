// Arrays of the program, of any type that cuSPARSE has: values are computed as double or as complex
// numbers of two doubles, indices as int64_t.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cusparse/call.h"

namespace cudacpu::sparse {

using Complex = std::complex<double>;
using Indices = std::vector<int64_t>;

// The bytes of a value; 0 for an unsupported type.
size_t bytes_of(cudaDataType type);
size_t bytes_of(cusparseIndexType_t type);
bool is_complex(cudaDataType type);

// Calls `function` with a number of the type in which values are computed.
template <typename Function>
void with_numbers(bool are_complex, Function function) {
  are_complex ? function(Complex()) : function(double());
}

inline double conjugate(double x) {
  return x;
}
inline Complex conjugate(Complex z) {
  return std::conj(z);
}

// Reads or writes `count` elements without a check, and without telling the observers.
template <typename V>
std::vector<V> load(const void* data, cudaDataType type, int64_t count);
template <typename V>
void store(void* data, cudaDataType type, int64_t place, V value);

// The same after a check. `role` says what the array is.
template <typename V>
std::vector<V> read_values(Call& call, const void* data, cudaDataType type, int64_t count,
                           const char* role) {
  call.reads(static_cast<const char*>(data), count * static_cast<int64_t>(bytes_of(type)), 1, 1,
             role);
  return call.valid ? load<V>(data, type, count) : std::vector<V>(static_cast<size_t>(count));
}

template <typename V>
void write_values(Call& call, void* data, cudaDataType type, const std::vector<V>& values,
                  const char* role) {
  const auto count = static_cast<int64_t>(values.size());
  call.writes(static_cast<char*>(data), count * static_cast<int64_t>(bytes_of(type)), 1, 1, role,
              false);
  for (int64_t i = 0; call.valid && i < count; ++i)
    store(data, type, i, values[static_cast<size_t>(i)]);
}

// An `Indices` counts from 0, the array from `base`.
Indices read_indices(Call& call, const void* data, cusparseIndexType_t type, int64_t count,
                     int64_t base, const char* role);
void write_indices(Call& call, void* data, cusparseIndexType_t type, const Indices& indices,
                   int64_t base, const char* role);
inline Indices read_indices(Call& call, const int* data, int64_t count, int64_t base,
                            const char* role) {
  return read_indices(call, data, CUSPARSE_INDEX_32I, count, base, role);
}
inline void write_indices(Call& call, int* data, const Indices& indices, int64_t base,
                          const char* role) {
  write_indices(call, data, CUSPARSE_INDEX_32I, indices, base, role);
}

// Checks the elements at some places of an array, and reports the elements to the observers.
void look_at_places(Call& call, const void* data, cudaDataType type, Indices places,
                    const char* role, bool read, bool write);

// Reports an index outside its vector or matrix, which on a GPU is an access anywhere.
bool check_indices(Call& call, const Indices& indices, int64_t size, const char* role);
// Offsets must not decrease, and end at `nnz` or before.
bool check_offsets(Call& call, const Indices& offsets, int64_t nnz);

// A factor. In host memory the factor is read when the function is called, in device memory when
// the function runs.
class Factor {
 public:
  Factor(cusparseHandle_t handle, const void* pointer, cudaDataType type);
  template <typename V>
  V get(Call& call) const {
    if (!on_device_) {
      if constexpr (std::is_same_v<V, double>)
        return value_.real();
      else
        return value_;
    }
    return read_values<V>(call, on_device_, type_, 1, "factor")[0];
  }

 private:
  Complex value_;
  const void* on_device_ = nullptr;
  cudaDataType type_;
};

}  // namespace cudacpu::sparse
