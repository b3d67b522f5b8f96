#include "cusparse/values.h"

#include <algorithm>

#include "common/core.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace cudacpu::sparse {
namespace {

double as_double(double x) {
  return x;
}
double as_double(float x) {
  return x;
}
double as_double(int8_t x) {
  return x;
}
double as_double(int32_t x) {
  return x;
}
double as_double(__half x) {
  return __half2float(x);
}
double as_double(__nv_bfloat16 x) {
  return __bfloat162float(x);
}

void round_to(double& place, double x) {
  place = x;
}
void round_to(float& place, double x) {
  place = static_cast<float>(x);
}
// Sums of integers that are too large lose their upper bits.
void round_to(int8_t& place, double x) {
  place = static_cast<int8_t>(static_cast<int64_t>(x));
}
void round_to(int32_t& place, double x) {
  place = static_cast<int32_t>(static_cast<int64_t>(x));
}
void round_to(__half& place, double x) {
  place = __float2half(static_cast<float>(x));
}
void round_to(__nv_bfloat16& place, double x) {
  place = __float2bfloat16(static_cast<float>(x));
}

template <typename T, typename V>
void load_as(const T& from, V& to) {
  to = as_double(from);
}
template <typename T>
void load_as(const std::complex<T>& from, Complex& to) {
  to = Complex(from);
}
// Only complex numbers are computed from complex numbers.
template <typename T>
void load_as(const std::complex<T>& from, double& to) {
  to = from.real();
}

template <typename T>
void store_as(T& place, double value) {
  round_to(place, value);
}
template <typename T>
void store_as(T& place, Complex value) {
  round_to(place, value.real());
}
template <typename T>
void store_as(std::complex<T>& place, double value) {
  place = static_cast<T>(value);
}
template <typename T>
void store_as(std::complex<T>& place, Complex value) {
  place = std::complex<T>(value);
}

// Calls `function` with a null pointer to the type of values.
template <typename Function>
void with_type(cudaDataType type, Function function) {
  switch (type) {
    case CUDA_R_32F:
      return function(static_cast<float*>(nullptr));
    case CUDA_R_64F:
      return function(static_cast<double*>(nullptr));
    case CUDA_C_32F:
      return function(static_cast<std::complex<float>*>(nullptr));
    case CUDA_C_64F:
      return function(static_cast<Complex*>(nullptr));
    case CUDA_R_16F:
      return function(static_cast<__half*>(nullptr));
    case CUDA_R_16BF:
      return function(static_cast<__nv_bfloat16*>(nullptr));
    case CUDA_R_8I:
      return function(static_cast<int8_t*>(nullptr));
    case CUDA_R_32I:
      return function(static_cast<int32_t*>(nullptr));
    default:
      return;
  }
}

}  // namespace

size_t bytes_of(cudaDataType type) {
  size_t bytes = 0;
  with_type(type, [&](auto* null) { bytes = sizeof(*null); });
  return bytes;
}

size_t bytes_of(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? sizeof(int64_t) : sizeof(int32_t);
}

bool is_complex(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}

template <typename V>
std::vector<V> load(const void* data, cudaDataType type, int64_t count) {
  std::vector<V> values(static_cast<size_t>(count));
  with_type(type, [&](auto* null) {
    const auto* from = static_cast<decltype(null)>(const_cast<void*>(data));
    for (V& value : values)
      load_as(*from++, value);
  });
  return values;
}
template std::vector<double> load(const void*, cudaDataType, int64_t);
template std::vector<Complex> load(const void*, cudaDataType, int64_t);

template <typename V>
void store(void* data, cudaDataType type, int64_t place, V value) {
  with_type(type, [&](auto* null) { store_as(static_cast<decltype(null)>(data)[place], value); });
}
template void store(void*, cudaDataType, int64_t, double);
template void store(void*, cudaDataType, int64_t, Complex);

Indices read_indices(Call& call, const void* data, cusparseIndexType_t type, int64_t count,
                     int64_t base, const char* role) {
  const auto bytes = static_cast<int64_t>(bytes_of(type));
  call.reads(static_cast<const char*>(data), count * bytes, 1, 1, role);
  Indices indices(static_cast<size_t>(call.valid ? count : 0));
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = type == CUSPARSE_INDEX_64I ? static_cast<const int64_t*>(data)[i]
                                            : static_cast<const int32_t*>(data)[i];
    indices[i] -= base;
  }
  return indices;
}

void write_indices(Call& call, void* data, cusparseIndexType_t type, const Indices& indices,
                   int64_t base, const char* role) {
  const auto bytes = static_cast<int64_t>(bytes_of(type) * indices.size());
  call.writes(static_cast<char*>(data), bytes, 1, 1, role, false);
  for (size_t i = 0; call.valid && i < indices.size(); ++i) {
    const int64_t index = indices[i] + base;
    if (type == CUSPARSE_INDEX_64I) {
      static_cast<int64_t*>(data)[i] = index;
    } else {
      static_cast<int32_t*>(data)[i] = static_cast<int32_t>(index);
    }
  }
}

void look_at_places(Call& call, const void* data, cudaDataType type, Indices places,
                    const char* role, bool read, bool write) {
  if (places.empty() || !call.valid) return;
  if (!std::is_sorted(places.begin(), places.end())) std::sort(places.begin(), places.end());
  const auto bytes = static_cast<int64_t>(bytes_of(type));
  const auto* const bytewise = static_cast<const char*>(data);
  call.checks(bytewise, (places.back() + 1) * bytes, role);
  for (size_t first = 0, next = 0; first < places.size(); first = next) {
    for (next = first + 1; next < places.size() && places[next] - places[next - 1] <= 1;)
      ++next;
    const int64_t run = (places[next - 1] + 1 - places[first]) * bytes;
    call.transfers(bytewise + places[first] * bytes, run, 1, 1, read, write);
  }
}

bool check_indices(Call& call, const Indices& indices, int64_t size, const char* role) {
  for (const int64_t index : indices) {
    if (!call.valid) break;
    if (index >= 0 && index < size) continue;
    explain("%s: one of the %s is %lld, counted from 0, but there are only %lld", call.name, role,
            static_cast<long long>(index), static_cast<long long>(size));
    call.valid = false;
  }
  return call.valid;
}

bool check_offsets(Call& call, const Indices& offsets, int64_t nnz) {
  if (!call.valid) return false;
  call.valid = offsets.front() >= 0 && offsets.back() <= nnz &&
               std::is_sorted(offsets.begin(), offsets.end());
  if (!call.valid)
    explain("%s: the offsets of a sparse matrix decrease, or end after its %lld entries", call.name,
            static_cast<long long>(nnz));
  return call.valid;
}

Factor::Factor(cusparseHandle_t handle, const void* pointer, cudaDataType type) : type_(type) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
    on_device_ = pointer;
  } else if (pointer) {
    value_ = load<Complex>(pointer, type, 1)[0];
  }
}

}  // namespace cudacpu::sparse
