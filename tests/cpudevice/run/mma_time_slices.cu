// A lane may lose its turn at any place: then another lane multiplies for all lanes, once, even if
// others already hold the factors of the next product.
// expect: done
// environment: CUDACPU_TICK=0.0001
#include "check.h"

constexpr int kWarps = 8;
constexpr int kProducts = 4000;

// Each warp multiplies matrices of ones: the next sums are 16 more. Rows travel through ldmatrix.
__global__ void multiply_kernel(float* sums) {
  __shared__ __align__(16) unsigned short ones[kWarps][32][8];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 8; ++i)
    ones[warp][lane][i] = 0x3F80;  // 1 in bf16
  __syncwarp();
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(ones[warp][lane]));
  float d[4] = {};
  for (int product = 0; product < kProducts; ++product) {
    unsigned a[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(row));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%4, %5}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
  }
  for (int i = 0; i < 4; ++i)
    sums[4 * threadIdx.x + i] = d[i];
}

int main() {
  constexpr int kSums = 4 * 32 * kWarps;
  float* sums;
  cudaMallocManaged(&sums, kSums * sizeof(float));
  multiply_kernel<<<1, 32 * kWarps>>>(sums);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kSums; ++i)
    CHECK(sums[i] == 16.0f * kProducts);
  printf("done\n");
}
