// A bracket that is missing in a kernel: one sentence says which one and where.
// flags: --no-check
// reject: tests/cpudevice/reject/bracket.cu:@a: error: the '(' of this line is still open
__global__ void k(int* out, int n) {
  __shared__ int tile[32];
  for (int i = 0; i < n; i++ {  // @a
    tile[i] = i;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
  k<<<1, 32>>>(nullptr, 32);
}
