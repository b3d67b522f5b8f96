#include "curand/sobol.h"

namespace cudacpu {
namespace {

// A primitive polynomial of degree s, whose inner coefficients are the bits of a, and the first s
// odd numbers: from the table `new-joe-kuo-6` of Joe and Kuo, "Constructing Sobol sequences with
// better two-dimensional projections", 2008.
struct Dimension {
  unsigned s, a, m[7];
};
constexpr Dimension kDimensions[kSobolDimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
};

template <typename Word, unsigned kBits>
void fill(Word (*vectors)[kBits]) {
  for (unsigned d = 0; d < kSobolDimensions; ++d) {
    Word* v = vectors[d];
    for (unsigned k = 0; k < kBits; ++k) {
      const Dimension* one = d == 0 ? nullptr : &kDimensions[d - 1];
      if (!one || k < one->s) {
        v[k] = static_cast<Word>(one ? one->m[k] : 1) << (kBits - 1 - k);
        continue;
      }
      v[k] = v[k - one->s] ^ v[k - one->s] >> one->s;
      for (unsigned i = 1; i < one->s; ++i)
        if (one->a >> (one->s - 1 - i) & 1) v[k] ^= v[k - i];
    }
  }
}

}  // namespace

curandDirectionVectors32_t* sobol_directions_32() {
  static curandDirectionVectors32_t vectors[kSobolDimensions];
  static const bool filled = (fill(vectors), true);
  (void)filled;
  return vectors;
}

curandDirectionVectors64_t* sobol_directions_64() {
  static curandDirectionVectors64_t vectors[kSobolDimensions];
  static const bool filled = (fill(vectors), true);
  (void)filled;
  return vectors;
}

}  // namespace cudacpu
