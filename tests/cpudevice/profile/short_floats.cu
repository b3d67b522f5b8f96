// Numbers of 16 bits: an operation is a single instruction, and so is a conversion,
// except of a bfloat16 to a float, which is a shift.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// kernel convert: warps=1 warp_instructions<8
__global__ void convert(const __nv_bfloat16* in, __nv_bfloat16* out) {
  const int i = threadIdx.x;
  const float x = __bfloat162float(in[i]);  // global_load: requests=1 sectors=2 bytes=64
  out[i] = __float2bfloat16(x);             // global_store: requests=1 sectors=2 bytes=64
}

// kernel arithmetic: warps=1 warp_instructions<8
__global__ void arithmetic(const half2* in, half2* out) {
  const int i = threadIdx.x;
  const half2 x = in[i];                  // global_load: requests=1 sectors=4 bytes=128
  out[i] = __hfma2(x, x, __hadd2(x, x));  // global_store: requests=1 sectors=4 bytes=128
}

int main() {
  void* data;
  cudaMalloc(&data, 1024);
  cudaMemset(data, 0, 1024);
  auto* bytes = static_cast<char*>(data);
  convert<<<1, 32>>>(static_cast<__nv_bfloat16*>(data),
                     reinterpret_cast<__nv_bfloat16*>(bytes + 512));
  arithmetic<<<1, 32>>>(static_cast<half2*>(data), reinterpret_cast<half2*>(bytes + 512));
  cudaDeviceSynchronize();
  cudaFree(data);
}
