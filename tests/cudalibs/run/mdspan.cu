// Arrays of several dimensions over foreign memory, in the layouts of C and of Fortran.
// expect: 0 1 2 3 4 5
// expect: 0 3 1 4 2 5
// expect: 6 2x3 3 1 60
#include <cuda/std/mdspan>

#include <cstdio>

using Open = cuda::std::dextents<int, 2>;
using Rows = cuda::std::mdspan<int, Open>;
using Columns = cuda::std::mdspan<int, Open, cuda::std::layout_left>;

// What belongs at (row, column) is 3 row + column.
template <class View>
__global__ void number_kernel(View view) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (row < view.extent(0) && column < view.extent(1)) view(row, column) = 3 * row + column;
}

// One thread: the sizes of a view from the type alone, and the diagonal's elements.
__global__ void sizes_kernel(int* data) {
  const cuda::std::mdspan fixed(data, cuda::std::extents<int, 2, 3>{});
  static_assert(decltype(fixed)::rank() == 2 && decltype(fixed)::rank_dynamic() == 0);
  const cuda::std::array<int, 2> last{1, 2};
  const cuda::std::layout_stride::mapping<Open> every_second(Open(2, 2), cuda::std::array{3, 2});
  const cuda::std::mdspan some(data, every_second);
  printf("%d %dx%d %d %d %d%d\n", static_cast<int>(fixed.size()), fixed.extent(0), fixed.extent(1),
         fixed.stride(0), fixed.stride(1), 1 + fixed[last], some(0, 0));
}

int main() {
  int* data;
  cudaMallocManaged(&data, 6 * sizeof(int));
  number_kernel<<<1, dim3(4, 4)>>>(Rows(data, 2, 3));
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i)
    printf(i < 5 ? "%d " : "%d\n", data[i]);
  number_kernel<<<1, dim3(4, 4)>>>(Columns(data, 2, 3));
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i)
    printf(i < 5 ? "%d " : "%d\n", data[i]);
  sizes_kernel<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
