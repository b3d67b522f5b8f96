// Sizes, alignments and constructors of the vector types are CUDA's.
// expect: done
#include "check.h"

#define CHECK_TYPE(type, size, alignment) \
  static_assert(sizeof(type) == size && alignof(type) == alignment, #type)

CHECK_TYPE(char1, 1, 1);
CHECK_TYPE(char2, 2, 2);
CHECK_TYPE(char3, 3, 1);
CHECK_TYPE(uchar4, 4, 4);
CHECK_TYPE(short2, 4, 4);
CHECK_TYPE(ushort3, 6, 2);
CHECK_TYPE(short4, 8, 8);
CHECK_TYPE(int2, 8, 8);
CHECK_TYPE(int3, 12, 4);
CHECK_TYPE(uint4, 16, 16);
CHECK_TYPE(long2, 16, 16);
CHECK_TYPE(longlong4, 32, 16);
CHECK_TYPE(float1, 4, 4);
CHECK_TYPE(float2, 8, 8);
CHECK_TYPE(float3, 12, 4);
CHECK_TYPE(float4, 16, 16);
CHECK_TYPE(double2, 16, 16);
CHECK_TYPE(double3, 24, 8);
CHECK_TYPE(double4, 32, 16);
CHECK_TYPE(double4_16a, 32, 16);
CHECK_TYPE(double4_32a, 32, 32);
CHECK_TYPE(dim3, 12, 4);

__global__ void make_kernel(float4* f, int3* i, uchar2* u, double4_32a* d) {
  *f = make_float4(1, 2, 3, 4);
  *i = make_int3(-1, 0, 1);
  *u = make_uchar2(255, 256 - 1);
  *d = make_double4_32a(1, 2, 3, 4);
  dim3 blockDim(3, 4);  // hides the built-in blockDim
  f->w += blockDim.x * blockDim.y * blockDim.z;
}

int main() {
  float4* f;
  int3* i;
  uchar2* u;
  double4_32a* d;
  CHECK_OK(cudaMallocManaged(&f, sizeof(*f)));
  CHECK_OK(cudaMallocManaged(&i, sizeof(*i)));
  CHECK_OK(cudaMallocManaged(&u, sizeof(*u)));
  CHECK_OK(cudaMallocManaged(&d, sizeof(*d)));
  make_kernel<<<1, 1>>>(f, i, u, d);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(f->x == 1 && f->y == 2 && f->z == 3 && f->w == 16);
  CHECK(i->x == -1 && i->y == 0 && i->z == 1);
  CHECK(u->x == 255 && u->y == 255);
  CHECK(d->x == 1 && d->w == 4);
  const uint3 corner = dim3(5, 6);
  CHECK(corner.x == 5 && corner.y == 6 && corner.z == 1);
  CHECK(dim3(corner).z == 1);
  printf("done\n");
}
