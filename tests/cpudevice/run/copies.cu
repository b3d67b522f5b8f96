// Copies in every direction and shape; wrong directions and lengths are refused and explained.
// expect: done
// stderr: cudaMemcpy: the destination has room for 400 bytes of the 404
// stderr: should be device memory, but it is host memory
// stderr: should be host memory, but it is device memory (cudaMalloc)
// stderr: cudaMemcpy: the source is a null pointer
// stderr: was freed (a 400-byte cudaMalloc)
// stderr: cudaMemcpyToSymbol: 8 bytes at offset 60 are more than the 64 bytes of table
// stderr: is not a __device__, __constant__ or __managed__ variable
#include <cstring>

#include "check.h"

__constant__ float table[16];
__device__ int counter = 3;

__global__ void read_table_kernel(float* out) {
  out[threadIdx.x] = table[threadIdx.x] + counter;
}

void test_directions() {
  int host[100], back[100], *device, *other, *pinned;
  for (int i = 0; i < 100; ++i)
    host[i] = i;
  CHECK_OK(cudaMalloc(&device, sizeof(host)));
  CHECK_OK(cudaMalloc(&other, sizeof(host)));
  CHECK_OK(cudaMallocHost(&pinned, sizeof(host)));
  CHECK_OK(cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(other, device, sizeof(host), cudaMemcpyDeviceToDevice));
  CHECK_OK(cudaMemcpyAsync(pinned, other, sizeof(host), cudaMemcpyDeviceToHost, 0));
  CHECK_OK(cudaMemcpy(back, pinned, sizeof(host), cudaMemcpyHostToHost));
  CHECK(memcmp(host, back, sizeof(host)) == 0);
  memset(back, 0, sizeof(back));
  CHECK_OK(cudaMemcpy(back, device, sizeof(host), cudaMemcpyDefault));
  CHECK(memcmp(host, back, sizeof(host)) == 0);
  CHECK_OK(cudaMemcpyPeer(other, 0, device, 0, 4));
  CHECK_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));

  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy(device, host, sizeof(host) + 4, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy(device + 1, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(host, back, 4, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(device, other, 4, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 4, cudaMemcpyKind(9)));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
  CHECK_OK(cudaFree(other));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(host, other, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

void test_rows() {
  constexpr int kRows = 7, kColumns = 10;
  int host[kRows][kColumns], back[kRows][kColumns] = {};
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x)
      host[y][x] = 100 * y + x;
  int* device;
  size_t pitch;
  CHECK_OK(cudaMallocPitch(&device, &pitch, kColumns * sizeof(int), kRows));
  CHECK_OK(cudaMemcpy2D(device, pitch, host, sizeof(host[0]), sizeof(host[0]), kRows,
                        cudaMemcpyHostToDevice));
  // The middle columns only.
  CHECK_OK(cudaMemcpy2DAsync(&back[0][2], sizeof(back[0]), device + 2, pitch, 4 * sizeof(int),
                             kRows, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x)
      CHECK(back[y][x] == (x >= 2 && x < 6 ? host[y][x] : 0));
  CHECK_ERROR(cudaErrorInvalidPitchValue,
              cudaMemcpy2D(device, 4, host, 40, 40, kRows, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy2D(device, pitch, host, 40, 40, kRows + 1, cudaMemcpyHostToDevice));
}

void test_volumes() {
  unsigned char host[4][3][8], back[4][3][8] = {};
  for (size_t i = 0; i < sizeof(host); ++i)
    (&host[0][0][0])[i] = static_cast<unsigned char>(i);
  const cudaExtent extent = make_cudaExtent(8, 3, 4);
  cudaPitchedPtr device;
  CHECK_OK(cudaMalloc3D(&device, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 8, 8, 3);
  copy.dstPtr = device;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  copy.srcPtr = device;
  copy.srcPos = make_cudaPos(1, 1, 2);
  copy.dstPtr = make_cudaPitchedPtr(back, 8, 8, 3);
  copy.extent = make_cudaExtent(5, 2, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK_OK(cudaMemcpy3D(&copy));
  CHECK(back[0][0][0] == host[2][1][1] && back[1][1][4] == host[3][2][5] && back[2][0][0] == 0 &&
        back[0][0][5] == 0);
}

void test_symbols() {
  float values[16], *out;
  for (int i = 0; i < 16; ++i)
    values[i] = i / 2.0f;
  CHECK_OK(cudaMemcpyToSymbol(table, values, sizeof(values)));
  const int five = 5;
  CHECK_OK(cudaMemcpyToSymbol(counter, &five, sizeof(five)));
  CHECK_OK(cudaMallocManaged(&out, sizeof(values)));
  read_table_kernel<<<1, 16>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[3] == 6.5f && out[15] == 12.5f);
  CHECK_OK(cudaMemcpyToSymbol(table, values + 1, 4, 8));
  float back[2];
  CHECK_OK(cudaMemcpyFromSymbol(back, table, 8, 4));
  CHECK(back[0] == 0.5f && back[1] == 0.5f);
  void* address;
  size_t bytes;
  CHECK_OK(cudaGetSymbolAddress(&address, counter));
  CHECK_OK(cudaGetSymbolSize(&bytes, table));
  CHECK(bytes == sizeof(values));
  CHECK_OK(cudaMemset(address, 0, 4));
  int read;
  CHECK_OK(cudaMemcpyFromSymbol(&read, counter, 4));
  CHECK(read == 0);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpyToSymbol(table, values, 8, 60));
  static float not_a_symbol[4];
  CHECK_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(not_a_symbol, values, 4));
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection,
              cudaMemcpyToSymbol(table, values, 4, 0, cudaMemcpyDeviceToHost));
}

int main() {
  test_directions();
  test_rows();
  test_volumes();
  test_symbols();
  printf("done\n");
}
