// The symbol functions for variables in source form: cudaMemcpyToSymbol(table, ...).
#pragma once

#include <type_traits>
#include <utility>

#include "../cuda_runtime_api.h"

namespace cudacpu {
template <typename T>
const void* address_of(const volatile T& symbol) {
  return const_cast<const T*>(&symbol);
}
// An instance of a variable template, which is registered when a copy first names the instance.
void register_instance(const void* address, size_t bytes, const char* name, const char* kind);
template <typename T>
T& instance_of(T& symbol, const char* name, const char* kind) {
  register_instance(address_of(symbol), sizeof(symbol), name, kind);
  return symbol;
}
// Returns the host's copy for the address of a variable that only kernels can use; other addresses
// stay as they are.
const void* host_copy_of(const volatile void* address);
template <typename T>
std::decay_t<T> host_address(T&& value) {
  using Value = std::decay_t<T>;
  if constexpr (std::is_pointer_v<Value> && !std::is_function_v<std::remove_pointer_t<Value>>) {
    return (Value)host_copy_of(value);
  } else {
    return std::forward<T>(value);
  }
}
}  // namespace cudacpu

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(cudacpu::address_of(symbol), source, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t bytes,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(cudacpu::address_of(symbol), source, bytes, offset, kind, stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t bytes,
                                 size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(destination, cudacpu::address_of(symbol), bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(destination, cudacpu::address_of(symbol), bytes, offset, kind,
                                   stream);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, cudacpu::address_of(symbol));
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, cudacpu::address_of(symbol));
}
