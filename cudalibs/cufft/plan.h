// A plan of cuFFT, and its execution on one array after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/library_call.h"
#include "cufft.h"
#include "cufft/transform.h"

namespace cudacpu::fourier {

// Where the elements of an array are: `embed` elements of each dimension, neighbours of the last
// dimension `stride` apart, arrays `distance` apart. Without dimensions, as the plan's types say.
struct Layout {
  std::vector<int64_t> embed;
  int64_t stride = 1, distance = 0;
};

struct Plan {
  std::vector<int64_t> n;  // elements of each dimension; in the last, elements are neighbours
  cufftType type = CUFFT_C2C;
  int64_t batch = 1;
  Layout in, out;
  std::vector<Transform> transforms;  // for each dimension, once prepared

  bool from_real() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool to_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  bool is_double() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  // Elements of the last dimension: real numbers, or the complex numbers that belong to real
  // numbers.
  int64_t width(bool real) const { return real || type_is_complex() ? n.back() : n.back() / 2 + 1; }
  size_t bytes() const;  // of all complex numbers

  // Makes what all executions need.
  void prepare();
  // Checks the operands, which have the types of `type`, and reports them to `call`.
  void execute(LibraryCall& call, void* in, void* out, int sign) const;

 private:
  bool type_is_complex() const { return !from_real() && !to_real(); }
};

}  // namespace cudacpu::fourier
