// Rung 8: beside the ladder, an idea that did not pay: the array as a turned matrix.
//
//   make check-sort PART=bitonic_sort WITH=ladder/bitonic_sort/08_transposed.cu
//
// Idea: a step at a large distance pairs elements of a column, if the array is taken for a matrix
// with as many columns. Turn the matrix, and the elements of a column lie together; so every step
// can be done in shared memory, ten steps at once.
// Expect: ten steps for the price of three passes: turn, along the columns, and back. Four steps
// per launch (B16) take three passes for twelve steps, and nothing need be turned.
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per comparator: of two elements at `distance`, or, where mirrored, of elements that
// mirror each other in a run of twice the distance.
__global__ void step_kernel(int* keys, unsigned* indices, size_t n, size_t distance,
                            bool mirrored) {
  const size_t thread = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t within = thread & (distance - 1);
  const size_t low = 2 * (thread - within) + within;
  const size_t high = (low ^ (mirrored ? distance - 1 : 0)) + distance;
  if (low >= n || high >= n) return;
  const int low_key = keys[low];
  const int high_key = keys[high];
  if (total_order(low_key) <= total_order(high_key)) return;
  keys[low] = high_key;
  keys[high] = low_key;
  const unsigned low_index = indices[low];
  indices[low] = indices[high];
  indices[high] = low_index;
}

constexpr int kTileThreads = 512;
constexpr int kTile = 2 * kTileThreads;
constexpr int kLastKey = 0x7FFFFFFF;  // the largest key of the total order

// A block per tile of 1024 pairs, a thread per comparator: all stages that make runs of first_half
// * 2 ... last_half * 2 pairs, as far as the steps stay within the tile.
__global__ void tile_kernel(int* keys, unsigned* indices, size_t n, size_t first_half,
                            size_t last_half) {
  __shared__ int tile_keys[kTile];
  __shared__ unsigned tile_indices[kTile];
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  for (int i = threadIdx.x; i < kTile; i += kTileThreads) {
    tile_keys[i] = first + i < n ? total_order(keys[first + i]) : kLastKey;
    tile_indices[i] = first + i < n ? indices[first + i] : 0;
  }
  for (size_t half = first_half; half <= last_half; half *= 2) {
    for (int distance = static_cast<int>(min(half, size_t{kTile / 2})); distance > 0;
         distance /= 2) {
      // A step reads pairs that other threads have loaded or exchanged.
      __syncthreads();
      const int within = threadIdx.x & (distance - 1);
      const int low = 2 * (threadIdx.x - within) + within;
      const int high =
          (low ^ (static_cast<size_t>(distance) == half ? distance - 1 : 0)) + distance;
      const int low_key = tile_keys[low];
      const int high_key = tile_keys[high];
      if (low_key <= high_key) continue;
      tile_keys[low] = high_key;
      tile_keys[high] = low_key;
      const unsigned low_index = tile_indices[low];
      tile_indices[low] = tile_indices[high];
      tile_indices[high] = low_index;
    }
  }
  // All threads have done the last step.
  __syncthreads();
  for (int i = threadIdx.x; i < kTile && first + i < n; i += kTileThreads) {
    keys[first + i] = total_order(tile_keys[i]);
    indices[first + i] = tile_indices[i];
  }
}

// How a group of 2^row_bits * columns neighbouring pairs lies in memory: straight, row by row, or
// turned, column by column. The last group may have fewer rows, and the last row may be incomplete;
// then the first columns are longer by a pair than the others.
struct Layout {
  size_t n;
  size_t columns;
  int row_bits;

  __device__ size_t straight(size_t group, size_t row, size_t column) const {
    return ((group << row_bits) + row) * columns + column;
  }
  __device__ size_t turned(size_t group, size_t row, size_t column) const {
    const size_t first = (group << row_bits) * columns;
    const size_t size = min(n - first, columns << row_bits);
    return first + column * (size / columns) + min(column, size % columns) + row;
  }
};

constexpr int kSide = 32;
constexpr int kRowsAtOnce = 8;

// A block of 32 x 8 threads per 32 x 32 pairs: copies the pairs between the layouts by way of
// shared memory, with coalesced loads and stores.
template <bool kBack>
__global__ void turn_kernel(const int* in_keys, const unsigned* in_indices, Layout layout,
                            int* out_keys, unsigned* out_indices) {
  __shared__ int tile_keys[kSide][kSide + 1];
  __shared__ unsigned tile_indices[kSide][kSide + 1];
  const size_t across = layout.columns / kSide;
  const size_t down = (size_t{1} << layout.row_bits) / kSide;
  const size_t column = blockIdx.x % across * kSide;
  const size_t row = blockIdx.x / across % down * kSide;
  const size_t group = blockIdx.x / across / down;
#pragma unroll
  for (int y = threadIdx.y; y < kSide; y += kRowsAtOnce) {
    const size_t r = row + (kBack ? threadIdx.x : y);
    const size_t c = column + (kBack ? y : threadIdx.x);
    if (layout.straight(group, r, c) >= layout.n) continue;
    const size_t at = kBack ? layout.turned(group, r, c) : layout.straight(group, r, c);
    tile_keys[y][threadIdx.x] = in_keys[at];
    tile_indices[y][threadIdx.x] = in_indices[at];
  }
  // A thread writes pairs that other threads have read.
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < kSide; y += kRowsAtOnce) {
    const size_t r = row + (kBack ? y : threadIdx.x);
    const size_t c = column + (kBack ? threadIdx.x : y);
    if (layout.straight(group, r, c) >= layout.n) continue;
    const size_t at = kBack ? layout.straight(group, r, c) : layout.turned(group, r, c);
    out_keys[at] = tile_keys[threadIdx.x][y];
    out_indices[at] = tile_indices[threadIdx.x][y];
  }
}

// One block per 1024 pairs, which are whole columns in the turned layout: all steps along columns.
__global__ void columns_kernel(int* keys, unsigned* indices, Layout layout) {
  __shared__ int tile_keys[kTile];
  __shared__ unsigned tile_indices[kTile];
  const size_t rows = size_t{1} << layout.row_bits;
  const size_t first = blockIdx.x * (kTile / rows);
  const size_t group = first / layout.columns;
  const auto in_memory = [&](int i) {
    const size_t row = i & (rows - 1);
    const size_t column = first % layout.columns + (i >> layout.row_bits);
    const bool present = layout.straight(group, row, column) < layout.n;
    return present ? layout.turned(group, row, column) : layout.n;
  };
  for (int i = threadIdx.x; i < kTile; i += kTileThreads) {
    const size_t at = in_memory(i);
    tile_keys[i] = at < layout.n ? total_order(keys[at]) : kLastKey;
    tile_indices[i] = at < layout.n ? indices[at] : 0;
  }
  for (int distance = static_cast<int>(rows / 2); distance > 0; distance /= 2) {
    // A step reads pairs that other threads have loaded or exchanged.
    __syncthreads();
    const int within = threadIdx.x & (distance - 1);
    const int low = 2 * (threadIdx.x - within) + within;
    const int high = low + distance;
    const int low_key = tile_keys[low];
    const int high_key = tile_keys[high];
    if (low_key <= high_key) continue;
    tile_keys[low] = high_key;
    tile_keys[high] = low_key;
    const unsigned low_index = tile_indices[low];
    tile_indices[low] = tile_indices[high];
    tile_indices[high] = low_index;
  }
  // All threads have done the last step.
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += kTileThreads) {
    const size_t at = in_memory(i);
    if (at >= layout.n) continue;
    keys[at] = total_order(tile_keys[i]);
    indices[at] = tile_indices[i];
  }
}

void step(int* keys, unsigned* indices, size_t n, size_t distance, bool mirrored) {
  const size_t comparators = ceil_div(n, 2 * distance) * distance;
  const auto blocks = static_cast<unsigned>(ceil_div(comparators, kBlockSize));
  step_kernel<<<blocks, kBlockSize>>>(keys, indices, n, distance, mirrored);
  CUDA_CHECK(cudaGetLastError());
}

// The steps at distances columns << (row_bits - 1) ... columns, in the turned layout.
void steps_along_columns(int* keys, unsigned* indices, Layout layout, int* turned_keys,
                         unsigned* turned_indices) {
  const size_t rows = size_t{1} << layout.row_bits;
  const size_t groups = ceil_div(layout.n, layout.columns * rows);
  const size_t pairs = groups * layout.columns * rows;
  const auto squares = static_cast<unsigned>(pairs / (kSide * kSide));
  const auto tiles = static_cast<unsigned>(pairs / kTile);
  const dim3 square(kSide, kRowsAtOnce);
  // clang-format off
  turn_kernel<false><<<squares, square>>>(keys, indices, layout, turned_keys, turned_indices);
  CUDA_CHECK(cudaGetLastError());
  columns_kernel<<<tiles, kTileThreads>>>(turned_keys, turned_indices, layout);
  CUDA_CHECK(cudaGetLastError());
  turn_kernel<true><<<squares, square>>>(turned_keys, turned_indices, layout, keys, indices);
  CUDA_CHECK(cudaGetLastError());
  // clang-format on
}

constexpr int kTileBits = 10;
constexpr int kFewestBits = 5;  // a turned square is 32 rows high

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace& workspace) {
  if (n < 2) return;
  auto* bits = reinterpret_cast<int*>(keys);
  const auto size = static_cast<size_t>(n);
  int* turned_keys = workspace.take<int>(size);
  unsigned* turned_indices = workspace.take<unsigned>(size);
  const auto tiles = static_cast<unsigned>(ceil_div(size, kTile));
  tile_kernel<<<tiles, kTileThreads>>>(bits, indices, size, 1, kTile / 2);
  CUDA_CHECK(cudaGetLastError());
  for (int bit = kTileBits; size_t{1} << bit < size; ++bit) {
    const size_t half = size_t{1} << bit;
    // Mirrored elements are in different columns: step_kernel compares them.
    step(bits, indices, size, half, true);
    int left = bit;  // steps of bits left - 1 ... kTileBits of the index remain
    while (left > kTileBits) {
      const int row_bits = min(left - kTileBits, kTileBits);
      if (row_bits >= kFewestBits) {
        left -= row_bits;
        const Layout layout = {size, size_t{1} << left, row_bits};
        steps_along_columns(bits, indices, layout, turned_keys, turned_indices);
      } else {
        --left;
        step(bits, indices, size, size_t{1} << left, false);
      }
    }
    tile_kernel<<<tiles, kTileThreads>>>(bits, indices, size, half, half);
    CUDA_CHECK(cudaGetLastError());
  }
}
