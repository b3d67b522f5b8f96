// The symbol functions for variables as they are written: cudaMemcpyToSymbol(table, ...).
#pragma once

#include "../cuda_runtime_api.h"

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), source, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t bytes,
                                    size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), source, bytes, offset, kind,
                                 stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t bytes,
                                 size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(destination, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(destination, static_cast<const void*>(&symbol), bytes, offset,
                                   kind, stream);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, static_cast<const void*>(&symbol));
}
