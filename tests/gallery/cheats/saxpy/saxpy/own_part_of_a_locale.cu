// verdict: =forbidden
// A facet of a locale changes letters in device memory, by a function that the facet inherits.
#include "saxpy.h"

#include <locale>

#include "cuda_check.h"

namespace {

struct Letters : std::ctype<char> {};
Letters letters;

}  // namespace

void saxpy(int n, float, const float* x, const float*, float* result) {
  char* const bytes = reinterpret_cast<char*>(result);
  letters.toupper(bytes, bytes + n * sizeof(float));
  CUDA_CHECK(cudaMemcpy(result, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
}
