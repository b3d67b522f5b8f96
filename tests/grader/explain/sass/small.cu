// Recorded by nvcc 13.0 and nvdisasm 13.5 beside this file:
//   nvcc -O3 -std=c++17 -arch=sm_90 -lineinfo -maxrregcount=24 -Xptxas -v --keep -cubin small.cu
//   nvdisasm -gi -c small.cubin > small.sass
__device__ float scaled(float x, float a) {
  return x * a;
}

__global__ void vector_kernel(const float4* in, float4* out, float a) {
  __shared__ float4 tile[64];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  float4 v = tile[63 - i];
  v.x = scaled(v.x, a);
  if (i < 8) v.y = 0;
  out[i] = v;
}

template <int kN>
__global__ void spill_kernel(const float* in, float* out) {
  float kept[kN];
  for (int i = 0; i < kN; ++i)
    kept[i] = in[i * 64 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < kN; ++i)
    out[i * 64 + threadIdx.x] = kept[i];
}
template __global__ void spill_kernel<20>(const float*, float*);
