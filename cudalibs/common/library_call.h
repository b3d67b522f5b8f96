// The steps of a library function around its own work: checks of the operands, and reports to the
// observers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/core.h"

namespace cudacpu {

// The running function, which checks its operands with the object; the object keeps the first
// error.
struct LibraryCall {
  const char* name;
  bool valid = true;

  // Columns of `rows` elements, `ld` elements apart: read, written or both.
  template <typename T>
  const T* reads(const T* a, int64_t rows, int64_t columns, int64_t ld, const char* role) {
    look(a, rows, columns, ld, role, true, false);
    return a;
  }
  template <typename T>
  T* writes(T* a, int64_t rows, int64_t columns, int64_t ld, const char* role, bool also_reads) {
    look(a, rows, columns, ld, role, also_reads, true);
    return a;
  }
  // The elements of a vector; with a negative distance, counted from the vector's end.
  template <typename T>
  const T* reads_vector(const T* x, int64_t n, int64_t inc, const char* role) {
    look(x, 1, n, inc < 0 ? -inc : inc, role, true, false);
    return inc < 0 ? x - (n - 1) * inc : x;
  }
  template <typename T>
  T* writes_vector(T* x, int64_t n, int64_t inc, const char* role, bool also_reads = true) {
    look(x, 1, n, inc < 0 ? -inc : inc, role, also_reads, true);
    return inc < 0 ? x - (n - 1) * inc : x;
  }
  // `count` elements, of which some are used: transfers() says which.
  template <typename T>
  void checks(const T* a, int64_t count, const char* role) {
    if (count > 0 && valid)
      valid = check_range(name, role, a, static_cast<size_t>(count) * sizeof(T), Side::kDevice);
  }
  template <typename T>
  void transfers(const T* a, int64_t rows, int64_t columns, int64_t ld, bool read, bool write) {
    if (rows <= 0 || columns <= 0 || !valid) return;
    const auto width = static_cast<size_t>(rows) * sizeof(T);
    const auto pitch = static_cast<size_t>(ld) * sizeof(T);
    const size_t height = static_cast<size_t>(columns);
    const cudaStream_t stream = copy_stream.stream;
    if (read)
      observe::transferring({name, nullptr, a, width, height, 1, 0, 0, pitch, 0, stream, true});
    if (!write) return;
    void* out = const_cast<void*>(static_cast<const void*>(a));
    observe::transferring({name, out, nullptr, width, height, 1, pitch, 0, 0, 0, stream, true});
  }

 private:
  template <typename T>
  void look(const T* a, int64_t rows, int64_t columns, int64_t ld, const char* role, bool read,
            bool write) {
    if (rows > 0 && columns > 0) checks(a, (columns - 1) * ld + rows, role);
    transfers(a, rows, columns, ld, read, write);
  }
};

// Runs `function(call)` in a stream, or later if the stream is being captured. `function` must hold
// copies of its data, and returns early if the operands are not valid.
template <typename Function>
cudaError_t library_call_in_stream(cudaStream_t stream, const char* name, Function function) {
  return api_in_stream(stream, name, [=](const char* called) {
    LibraryCall call{called};
    function(call);
    return call.valid ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // namespace cudacpu
