// verdict: =forbidden
// The same with a locale's part of its own, of which no function is asked for by name.
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
