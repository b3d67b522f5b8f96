// Asynchronous copies: data under way is not written yet, and the target belongs to the copy until
// the copy has ended.
// finding: uninitialised @a @g
// finding: race @b @c
// finding: mask @d
// finding: race @f @e
// said: that an asynchronous copy of thread 63, started at
// said: has yet to write: thread 63 has to commit it and to wait for it first
// said: reads what the asynchronous copy of thread 31 writes at
// said: a copy is under way until it has been waited for
#include <cuda_pipeline.h>

#include "launch.h"

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void copy(float4* to, const float4* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

// Two stages: the next stage is loaded while a stage is used.
__global__ void two_stages(const float4* in, float* out, int tiles) {
  __shared__ float4 stage[2][64];
  const int i = threadIdx.x;
  copy(&stage[0][i], in + i);
  asm volatile("cp.async.commit_group;");
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) copy(&stage[(t + 1) % 2][i], in + (t + 1) * 64 + i);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
    sum += stage[t % 2][63 - i].x;
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void waits_for_another_group(const float4* in, float* out) {
  __shared__ float4 stage[64];
  __pipeline_memcpy_async(&stage[threadIdx.x], in + threadIdx.x, 16);  // @g
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = stage[63 - threadIdx.x].x;  // @a
}

__global__ void overwrites_what_is_read(const float4* in, float* out) {
  __shared__ float4 stage[64];
  stage[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = stage[63 - threadIdx.x].x;                             // @b
  __pipeline_memcpy_async(&stage[threadIdx.x], in + 64 + threadIdx.x, 16);  // @c
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

// The second round begins before a wait for the first round's copy.
__global__ void waits_after_the_barrier(const float4* in, float* out) {
  __shared__ float4 stage[64];
  stage[threadIdx.x] = in[threadIdx.x];
  float sum = 0;
  for (int t = 0; t < 2; ++t) {
    __syncthreads();
    __pipeline_memcpy_async(&stage[threadIdx.x], in + 64 + threadIdx.x, 16);  // @f
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    sum += stage[63 - threadIdx.x].x;  // @e
  }
  out[threadIdx.x] = sum;
}

__global__ void half_a_warp() {
  float d[4] = {0, 0, 0, 0};
  if (threadIdx.x >= 16) return;
  asm volatile(  // @d
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(0));
}

int main() {
  float4* in = zeros<float4>(4 * 64);
  float* out = zeros<float>(64);
  two_stages<<<1, 64>>>(in, out, 4);
  waits_after_the_barrier<<<1, 64>>>(in, out);
  waits_for_another_group<<<1, 64>>>(in, out);
  overwrites_what_is_read<<<1, 64>>>(in, out);
  finish(out);
  finish(in);
  half_a_warp<<<1, 32>>>();
  cudaDeviceSynchronize();
}
