// An object as a kernel's argument: the host copies and destroys the object, no thread does.
// expect: sum 2016, few copies, 0 left
#include <cstdio>

int left, copies;

// Owns memory until the host destroys the last copy.
struct Buffer {
  int* data;
  int* owners;
  explicit Buffer(int n) : owners(new int(1)) {
    cudaMallocManaged(&data, n * sizeof(int));
    ++left;
  }
  Buffer(const Buffer& other) : data(other.data), owners(other.owners) {
    ++*owners;
    ++copies;
  }
  ~Buffer() {
    if (--*owners > 0) return;
    cudaFree(data);
    delete owners;
    --left;
  }
};

__global__ void fill_kernel(Buffer buffer) {
  buffer.data[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
}

int main() {
  int sum = 0;
  {
    Buffer buffer(64);
    fill_kernel<<<1, 64>>>(buffer);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      sum += buffer.data[i];
  }
  printf("sum %d, %s copies, %d left\n", sum, copies < 8 ? "few" : "many", left);
}
