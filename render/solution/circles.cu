// The fastest circles we know: from front to back, the nearest circles without any structure.
//
//   make check-render WITH=solution PART=circles
//
// Seen from the front, most scenes end soon: behind 10 half-transparent circles nothing shows, and
// in a picture of 100 000 circles the last few thousand have covered every pixel that often.
// So three kernels, and one for scenes of up to 32 circles:
//
// 1. draw_near_kernel tests the last kNear circles against each tile, rung 4 backwards and without
//    packing: each circle is looked at so few times that copying it first does not pay. Small
//    scenes, and those that are covered by then, end here with one launch.
// 2. bin_kernel makes the bit masks of rung 5 for the circles before them. It returns at once if
//    no tile is left open: whether one is, the host need not know.
// 3. draw_far_kernel goes on with the open tiles, rung 6.
// -  draw_few_kernel needs no list and no barrier: each lane holds a circle, and hands it round. At
//    1024 x 1024 it takes 7.5 us for 3 circles, where filling the image with white takes 6.8.
//
// And against rung 6, each thread has four pixels, and each warp a patch of 8 x 16 of them. The
// lanes of a warp test 32 of the tile's circles against its patch at once, and all draw those that
// touch it: a circle smaller than a tile costs most warps 1/32 of a test and nothing else.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 32;
constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;
// The patch of a warp, and how its lanes lie in it: 8 x 4 of them, four times, one below the other.
constexpr int kPatchCols = 8;
constexpr int kPatchRows = 16;
constexpr int kLaneRows = 32 / kPatchCols;
constexpr int kPixels = kPatchRows / kLaneRows;
// Circles that a thread tests in one round of draw_near_kernel.
constexpr int kTests = 4;
constexpr int kRound = kTests * kBlockSize;
// draw_near_kernel draws up to this many circles, and of more only the last kNear. For the rest, if
// they show, the bit masks are worth their cost.
constexpr int kAllNear = 16 * kRound;
constexpr int kNear = 8 * kRound;
// Blocks per multiprocessor; the compiler keeps to the registers that this leaves.
constexpr int kResidentNear = 4;
constexpr int kResidentFar = 3;
// A pixel is finished when less light than this comes through: the contract allows 1/512.
constexpr float kInvisible = 1.0f / 1024;

constexpr int kBinsPerSide = 16;
constexpr int kBins = kBinsPerSide * kBinsPerSide;
constexpr int kBinWords = kBlockSize / 32;

// Bit i % 32 of word bin * words + i / 32: does circle i touch the bin? `words` is a multiple of
// kBinWords.
struct Bins {
  unsigned* bits;
  int words;
  int cols;  // of a bin, in pixels, as the rows: whole tiles
  int rows;
};

// x, y, the square of the radius or -1 if it covers nothing, z.
__device__ float4 load_shape(const CircleScene& scene, int i) {
  const float radius = scene.radius[i];
  const float* position = &scene.position[3 * static_cast<size_t>(i)];
  return make_float4(position[0], position[1], radius > 0 ? radius * radius : -1,
                     scene.snow ? position[2] : 0);
}
__device__ float4 load_colour(const CircleScene& scene, int i) {
  const float* colour = &scene.colour[3 * static_cast<size_t>(i)];
  return make_float4(colour[0], colour[1], colour[2], 0);
}

// The centres of the outermost pixels of a rectangle.
struct Box {
  float left, right, top, bottom;
};
__device__ Box make_box(const CircleScene& scene, int col, int row, int cols, int rows) {
  return {(col + 0.5f) / scene.width, (col + cols - 0.5f) / scene.width,
          (row + 0.5f) / scene.height, (row + rows - 0.5f) / scene.height};
}
__device__ bool touches(const float4& shape, const Box& box) {
  const float dx = fminf(fmaxf(shape.x, box.left), box.right) - shape.x;
  const float dy = fminf(fmaxf(shape.y, box.top), box.bottom) - shape.y;
  return dx * dx + dy * dy <= shape.z;
}

// The tile's circles that are about to be drawn, the last one first.
template <int kSize>
struct Hits {
  float4 shape[kSize];
  float4 colour[kSize];
};

// A thread's pixels: one column, every fourth row of the warp's patch.
struct Pixels {
  int col, row;
  Box patch;
  float x;
  float y[kPixels];
  float4 value[kPixels];  // w is the light that comes through
};

__device__ size_t pixel_index(const CircleScene& scene, const Pixels& pixels, int k) {
  return static_cast<size_t>(pixels.row + k * kLaneRows) * scene.width + pixels.col;
}
__device__ bool is_inside(const CircleScene& scene, const Pixels& pixels, int k) {
  return pixels.col < scene.width && pixels.row + k * kLaneRows < scene.height;
}

// Pixels without anything in them yet. Those outside of the image have no light to lose.
__device__ Pixels make_pixels(const CircleScene& scene) {
  constexpr int kPatchesAcross = kTile / kPatchCols;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int patch_col = blockIdx.x * kTile + warp % kPatchesAcross * kPatchCols;
  const int patch_row = blockIdx.y * kTile + warp / kPatchesAcross * kPatchRows;
  Pixels pixels;
  pixels.col = patch_col + lane % kPatchCols;
  pixels.row = patch_row + lane / kPatchCols;
  pixels.patch = make_box(scene, patch_col, patch_row, kPatchCols, kPatchRows);
  pixels.x = (pixels.col + 0.5f) / scene.width;
  for (int k = 0; k < kPixels; ++k) {
    pixels.y[k] = (pixels.row + k * kLaneRows + 0.5f) / scene.height;
    pixels.value[k] = make_float4(0, 0, 0, is_inside(scene, pixels, k) ? 1 : 0);
  }
  return pixels;
}

__device__ bool is_dark(const Pixels& pixels) {
  float light = 0;
  for (int k = 0; k < kPixels; ++k)
    light = fmaxf(light, pixels.value[k].w);
  return light < kInvisible;
}

// Puts one circle behind what is in the thread's pixels.
template <bool kSnow>
__device__ void draw_behind(const float4& shape, const float4& colour, Pixels& pixels) {
  const float dx = pixels.x - shape.x;
#pragma unroll
  for (int k = 0; k < kPixels; ++k) {
    const float dy = pixels.y[k] - shape.y;
    const float distance2 = dx * dx + dy * dy;
    float4& value = pixels.value[k];
    if (distance2 > shape.z) continue;
    const float share = value.w * circle_opacity(kSnow, distance2, shape.z, shape.w);
    const float red = circle_colour(kSnow, 0, colour.x, distance2, shape.z);
    const float green = circle_colour(kSnow, 1, colour.y, distance2, shape.z);
    const float blue = circle_colour(kSnow, 2, colour.z, distance2, shape.z);
    value.x += share * red;
    value.y += share * green;
    value.z += share * blue;
    value.w -= share;
  }
}

// Each warp draws those of the block's hits that touch its patch, until no light is left there.
template <bool kSnow, int kSize>
__device__ void draw_hits(const Hits<kSize>& hits, int count, Pixels& pixels) {
  const int lane = threadIdx.x % 32;
  for (int first = 0; first < count; first += 32) {
    if (__all_sync(kAllLanes, is_dark(pixels))) return;
    const int mine = first + lane;
    const bool touched = mine < count && touches(hits.shape[mine], pixels.patch);
    for (unsigned left = __ballot_sync(kAllLanes, touched); left != 0; left &= left - 1) {
      const int hit = first + __ffs(left) - 1;
      draw_behind<kSnow>(hits.shape[hit], hits.colour[hit], pixels);
    }
  }
}

__device__ float4 from_lane(const float4& value, int lane) {
  return make_float4(__shfl_sync(kAllLanes, value.x, lane), __shfl_sync(kAllLanes, value.y, lane),
                     __shfl_sync(kAllLanes, value.z, lane), __shfl_sync(kAllLanes, value.w, lane));
}

// The picture's background behind everything, or, if the tile is open, the light as it is.
__device__ void store_pixels(const CircleScene& scene, const Pixels& pixels, bool open,
                             float4* image) {
  for (int k = 0; k < kPixels; ++k) {
    if (!is_inside(scene, pixels, k)) continue;
    float4 value = pixels.value[k];
    if (!open) {
      value.x += value.w * background(scene.snow, 0, pixels.y[k]);
      value.y += value.w * background(scene.snow, 1, pixels.y[k]);
      value.z += value.w * background(scene.snow, 2, pixels.y[k]);
    }
    image[pixel_index(scene, pixels, k)] = value;
  }
}

// A block per tile, for scenes of up to 32 circles. A lane first loads one of them, then draws
// kPixels pixels.
template <bool kSnow>
__global__ void draw_few_kernel(CircleScene scene, float4* image) {
  const int lane = threadIdx.x % 32;
  float4 shape = make_float4(0, 0, -1, 0);
  float4 colour = shape;
  if (lane < scene.count) {
    shape = load_shape(scene, lane);
    colour = load_colour(scene, lane);
  }
  Pixels pixels = make_pixels(scene);
  for (unsigned left = __ballot_sync(kAllLanes, touches(shape, pixels.patch)); left != 0;) {
    const int last = 31 - __clz(left);
    left ^= 1u << last;
    draw_behind<kSnow>(from_lane(shape, last), from_lane(colour, last), pixels);
  }
  store_pixels(scene, pixels, false, image);
}

// A block per tile; in each round a thread tests kTests circles and draws kPixels pixels. Draws the
// circles from `first` on. Circles before it are left to draw_far_kernel, in tiles whose `open` is
// set.
template <bool kSnow>
__global__ void __launch_bounds__(kBlockSize, kResidentNear)
    draw_near_kernel(CircleScene scene, int first, int* open, float4* image) {
  static_assert(kTests * kWarps == 32, "the counts of a round are scanned by one warp");
  __shared__ Hits<kRound> hits;
  __shared__ int counts[kTests * kWarps];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const Box tile = make_box(scene, blockIdx.x * kTile, blockIdx.y * kTile, kTile, kTile);
  Pixels pixels = make_pixels(scene);

  bool dark = false;  // the same in all threads of the block
  for (int end = scene.count; end > first && !dark; end -= kRound) {
    // The last circle first: test j of the block's threads comes before test j + 1.
    const int last = end - 1 - static_cast<int>(threadIdx.x);
    bool touched[kTests];
#pragma unroll
    for (int j = 0; j < kTests; ++j) {
      // There is no branch here, so that the loads of all tests are under way together.
      const int i = last - j * kBlockSize;
      touched[j] = touches(load_shape(scene, max(i, first)), tile) && i >= first;
    }
    unsigned flags[kTests];
#pragma unroll
    for (int j = 0; j < kTests; ++j) {
      flags[j] = __ballot_sync(kAllLanes, touched[j]);
      if (lane == 0) counts[j * kWarps + warp] = __popc(flags[j]);
    }
    // Every warp scans the counts of all.
    __syncthreads();
    int sum = counts[lane];
    for (int distance = 1; distance < 32; distance *= 2) {
      const int other = __shfl_up_sync(kAllLanes, sum, distance);
      if (lane >= distance) sum += other;
    }
    const int total = __shfl_sync(kAllLanes, sum, 31);
#pragma unroll
    for (int j = 0; j < kTests; ++j) {
      const int end_of_warp = __shfl_sync(kAllLanes, sum, j * kWarps + warp);
      if ((flags[j] >> lane & 1) == 0) continue;
      const int place = end_of_warp - __popc(flags[j] >> lane);
      // Hits are loaded again: few are hits, and keeping all takes the registers of another block.
      hits.shape[place] = load_shape(scene, last - j * kBlockSize);
      hits.colour[place] = load_colour(scene, last - j * kBlockSize);
    }
    // The hits are complete before any thread draws them.
    __syncthreads();
    draw_hits<kSnow>(hits, total, pixels);
    // All threads have drawn the hits before they are overwritten.
    dark = __syncthreads_and(is_dark(pixels));
  }
  const bool leave_open = first > 0 && !dark;
  if (first > 0 && threadIdx.x == 0) open[blockIdx.y * gridDim.x + blockIdx.x] = leave_open;
  store_pixels(scene, pixels, leave_open, image);
}

// The bin of a coordinate on an axis with `pixels` pixels, `bin_pixels` to a bin. `coordinate` may
// lie outside of the picture.
__device__ int bin_of(float coordinate, int pixels, int bin_pixels) {
  const float inside = fminf(fmaxf(coordinate, 0), 1);
  return min(static_cast<int>(inside * pixels / bin_pixels), kBinsPerSide - 1);
}

// One thread per circle before `count`; a block makes kBinWords words of every bin, unless none of
// the `tiles` tiles is open.
__global__ void bin_kernel(CircleScene scene, int count, const int* open, int tiles, Bins bins) {
  static_assert(kBlockSize == kBins, "a thread is a circle first and a bin afterwards");
  __shared__ unsigned bits[kBins][kBinWords];
  int any = 0;
  for (int tile = threadIdx.x; tile < tiles; tile += kBlockSize)
    any |= open[tile];
  for (int word = 0; word < kBinWords; ++word)
    bits[threadIdx.x][word] = 0;
  // This barrier also lets all bits be cleared before any thread sets one.
  if (!__syncthreads_or(any)) return;

  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  const float radius = i < count ? scene.radius[i] : 0;
  if (radius > 0) {
    const float x = scene.position[3 * static_cast<size_t>(i)];
    const float y = scene.position[3 * static_cast<size_t>(i) + 1];
    const int first_col = bin_of(x - radius, scene.width, bins.cols);
    const int last_col = bin_of(x + radius, scene.width, bins.cols);
    const int first_row = bin_of(y - radius, scene.height, bins.rows);
    const int last_row = bin_of(y + radius, scene.height, bins.rows);
    for (int row = first_row; row <= last_row; ++row) {
      for (int col = first_col; col <= last_col; ++col) {
        atomicOr(&bits[row * kBinsPerSide + col][threadIdx.x / 32], 1u << threadIdx.x % 32);
      }
    }
  }
  // All circles have set their bits.
  __syncthreads();
  unsigned* words = &bins.bits[static_cast<size_t>(threadIdx.x) * bins.words];
  for (int word = 0; word < kBinWords; ++word)
    words[blockIdx.x * kBinWords + word] = bits[threadIdx.x][word];
}

// An exclusive scan of one number per thread: the sum of those before this one, and of all in
// `total`. All threads of the block must call it; `sums` holds kWarps numbers of shared memory.
__device__ int sum_before(int value, int* sums, int* total) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(kAllLanes, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  // Every warp adds up the sums of all.
  __syncthreads();
  int before = sum - value;
  *total = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += sums[w];
    *total += sums[w];
  }
  return before;
}

// A block per open tile. A thread reads the bits of 128 circles of the tile's bin, then tests one
// of the candidates that these name, and then draws kPixels pixels.
template <bool kSnow>
__global__ void __launch_bounds__(kBlockSize, kResidentFar)
    draw_far_kernel(CircleScene scene, Bins bins, const int* open, float4* image) {
  __shared__ Hits<kBlockSize> hits;
  __shared__ int candidates[kBlockSize];
  __shared__ int word_sums[kWarps];
  __shared__ int hit_sums[kWarps];
  if (!open[blockIdx.y * gridDim.x + blockIdx.x]) return;
  const Box tile = make_box(scene, blockIdx.x * kTile, blockIdx.y * kTile, kTile, kTile);
  Pixels pixels = make_pixels(scene);
  for (int k = 0; k < kPixels; ++k) {
    if (is_inside(scene, pixels, k)) pixels.value[k] = image[pixel_index(scene, pixels, k)];
  }
  const int bin = blockIdx.y * kTile / bins.rows * kBinsPerSide + blockIdx.x * kTile / bins.cols;
  const auto* vectors =
      reinterpret_cast<const uint4*>(&bins.bits[static_cast<size_t>(bin) * bins.words]);

  bool dark = false;  // the same in all threads of the block
  for (int end = bins.words / 4; end > 0 && !dark; end -= kBlockSize) {
    // Thread 0 holds the last of the words that this round reads.
    const int vector = end - 1 - static_cast<int>(threadIdx.x);
    const uint4 words = vector >= 0 ? vectors[vector] : make_uint4(0, 0, 0, 0);
    const unsigned bits[4] = {words.w, words.z, words.y, words.x};
    int found;
    const int own = __popc(words.x) + __popc(words.y) + __popc(words.z) + __popc(words.w);
    const int before = sum_before(own, word_sums, &found);
    for (int skip = 0; skip < found && !dark; skip += kBlockSize) {
      // Candidates `skip` to skip + kBlockSize: the thread whose words name one stores it.
      int place = before - skip;
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        for (unsigned left = bits[w]; left != 0; ++place) {
          const int bit = 31 - __clz(left);
          left ^= 1u << bit;
          if (place >= 0 && place < kBlockSize) {
            candidates[place] = (4 * vector + 3 - w) * 32 + bit;
          }
        }
      }
      __syncthreads();
      const bool candidate = skip + static_cast<int>(threadIdx.x) < found;
      const int i = candidate ? candidates[threadIdx.x] : 0;
      const float4 shape = load_shape(scene, i);
      const bool hit = candidate && touches(shape, tile);
      int total;
      const int slot = sum_before(hit, hit_sums, &total);
      if (hit) {
        hits.shape[slot] = shape;
        hits.colour[slot] = load_colour(scene, i);
      }
      // The hits are complete before any thread draws them; the candidates are no longer needed.
      __syncthreads();
      draw_hits<kSnow>(hits, total, pixels);
      // All threads have drawn the hits before they are overwritten.
      dark = __syncthreads_and(is_dark(pixels));
    }
    // All threads have read the sums before those of the next round overwrite them.
    __syncthreads();
  }
  store_pixels(scene, pixels, false, image);
}

template <bool kSnow>
void render(const CircleScene& scene, float4* image, Workspace& workspace) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  if (scene.count <= 32) {
    draw_few_kernel<kSnow><<<grid, kBlockSize>>>(scene, image);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  const int tiles = static_cast<int>(grid.x * grid.y);
  int* open = workspace.take<int>(tiles);
  const int far = scene.count > kAllNear ? scene.count - kNear : 0;
  draw_near_kernel<kSnow><<<grid, kBlockSize>>>(scene, far, open, image);
  CUDA_CHECK(cudaGetLastError());
  if (far == 0) return;

  const int bin_blocks = ceil_div(far, kBlockSize);
  const int words = bin_blocks * kBinWords;
  const Bins bins = {workspace.take<unsigned>(static_cast<size_t>(words) * kBins), words,
                     static_cast<int>(ceil_div(grid.x, kBinsPerSide)) * kTile,
                     static_cast<int>(ceil_div(grid.y, kBinsPerSide)) * kTile};
  bin_kernel<<<bin_blocks, kBlockSize>>>(scene, far, open, tiles, bins);
  CUDA_CHECK(cudaGetLastError());
  draw_far_kernel<kSnow><<<grid, kBlockSize>>>(scene, bins, open, image);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace& workspace) {
  if (scene.snow) {
    render<true>(scene, image, workspace);
  } else {
    render<false>(scene, image, workspace);
  }
}
