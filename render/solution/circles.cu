// The fastest circles we know: from front to back, the nearest circles without any structure.
//
//   make check-render WITH=solution PART=circles
//
// Seen from the front, most scenes end soon: behind 10 half-transparent circles nothing shows, and
// in a picture of 100 000 circles the last few thousand have covered every pixel as often.
// So three kernels, and a fourth for scenes of up to 32 circles:
//
// 1. draw_near_kernel tests the last kNear circles against each tile, rung 4 backwards and without
//    packing: each circle is looked at so few times that copying first does not pay. Small
//    scenes, and scenes already covered, end with the first launch.
// 2. list_kernel lists the earlier circles by bin. Rung 5 has a bit for each circle and bin,
//    and of small circles nearly all bits are 0; a list has numbers of 16 bits, and only of circles
//    that touch the bin. The numbers count within a chunk of the circles, and are in no order: a
//    block counts the circles of the chunk by bin with atomics, and takes places with atomics. The
//    kernel returns at once if no tile is left open, and the host need not know.
// 3. draw_far_kernel goes on with the open tiles. The kernel sorts the few circles of a chunk that
// touch the
//    bin. In scenes of many chunks the last kFirstChunks are listed and drawn first, as most
//    pictures are covered then.
// -  draw_few_kernel needs no list and no barrier: each lane holds a circle, and hands the circle
//    round. At 1024 x 1024 3 circles take 7.5 us, where filling the image with white takes 6.8.
//
// And against rung 6, each thread has four pixels, and each warp a patch of 8 x 16 pixels. The
// lanes of a warp test 32 of the tile's circles against the patch at once, and all draw the hits:
// a circle smaller than a tile costs most warps 1/32 of a test and nothing else.
#include "render.h"

#include <algorithm>

#include "circle_shading.h"
#include "cuda_check.h"

namespace {

constexpr int kTile = 32;
constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;
// The patch of a warp, and the places of its lanes: 8 x 4 lanes, four times, below each other.
constexpr int kPatchCols = 8;
constexpr int kPatchRows = 16;
constexpr int kLaneRows = 32 / kPatchCols;
constexpr int kPixels = kPatchRows / kLaneRows;
// Circles that a thread tests in a round of draw_near_kernel.
constexpr int kTests = 4;
constexpr int kRound = kTests * kBlockSize;
// draw_near_kernel draws up to this many circles, and of more only the last kNear. For the rest, if
// visible, lists are worth the cost.
constexpr int kAllNear = 16 * kRound;
constexpr int kNear = 8 * kRound;
// Blocks per multiprocessor; the compiler keeps to the registers left.
constexpr int kResidentNear = 4;
constexpr int kResidentList = 4;
constexpr int kResidentFar = 4;
// A pixel is finished when less light than this comes through: the contract allows 1/512.
constexpr float kInvisible = 1.0f / 1024;

// The picture is cut into bins of whole tiles; in a picture of 1024 x 1024 a bin is a tile. Circles
// are listed by bin, kChunk at a time.
constexpr int kBinsPerSide = 32;
constexpr int kBins = kBinsPerSide * kBinsPerSide;
constexpr int kChunk = 1024;
constexpr int kListThreads = 512;
constexpr int kCirclesPerThread = kChunk / kListThreads;
constexpr int kBinsPerThread = kBins / kListThreads;
// The places of a chunk's lists: 24 for a circle on average, 48 of the 64 bytes that the workspace
// has for a circle.
constexpr int kPlaces = 24 * kChunk;
constexpr int kUnlisted = 0xFFFF;
static_assert(kPlaces < kUnlisted, "a place is a number of 16 bits");
// A list that is longer is copied by a warp, not by a thread.
constexpr int kShortList = 8;
// So many of the last chunks come first, if there are more than twice as many.
constexpr int kFirstChunks = 64;

// The lists of some chunks. The circles of a chunk that touch a bin are at places starts[bin] to
// starts[bin + 1], in any order, as numbers within the chunk. If all starts are kUnlisted, no room
// was left, and any circle of the chunk may touch any bin.
struct Lists {
  unsigned short* starts;  // kBins + 1 per chunk
  unsigned short* places;  // kPlaces per chunk
  int cols;                // of a bin, in pixels, as the rows
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

// The tile's circles that are about to be drawn, the last circle first.
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

// Pixels still empty. Pixels outside of the image have no light to lose.
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

// Each warp draws the block's hits that touch the warp's patch, until no light is left.
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

// A block per tile, for scenes of up to 32 circles. A lane first loads a circle, then draws
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
      // Without a branch, so that the loads of all tests are under way together.
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

// An exclusive scan of a number per thread: the sum of the numbers before, and of all numbers in
// `total`. All threads of the block take part; `sums` holds a number per warp in shared memory.
template <int kThreads>
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
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w < warp) before += sums[w];
    *total += sums[w];
  }
  return before;
}

// The bin of a coordinate on an axis with `pixels` pixels, `bin_pixels` to a bin. `coordinate` may
// lie outside of the picture.
__device__ int bin_of(float coordinate, int pixels, int bin_pixels) {
  const float inside = fminf(fmaxf(coordinate, 0), 1);
  return min(static_cast<int>(inside * pixels / bin_pixels), kBinsPerSide - 1);
}

// The bins that a circle may touch, none if the circle covers nothing.
struct BinRange {
  short left, right, top, bottom;
};
__device__ BinRange bins_of(const CircleScene& scene, const Lists& lists, int i, int end) {
  const float radius = i < end ? scene.radius[i] : 0;
  if (!(radius > 0)) return {0, -1, 0, -1};
  const float x = scene.position[3 * static_cast<size_t>(i)];
  const float y = scene.position[3 * static_cast<size_t>(i) + 1];
  return {static_cast<short>(bin_of(x - radius, scene.width, lists.cols)),
          static_cast<short>(bin_of(x + radius, scene.width, lists.cols)),
          static_cast<short>(bin_of(y - radius, scene.height, lists.rows)),
          static_cast<short>(bin_of(y + radius, scene.height, lists.rows))};
}

// Calls visit(what was at cursors[bin], which it increments) for each bin of the range.
template <class Visit>
__device__ void count_up(const BinRange& range, int* cursors, const Visit& visit) {
  for (int row = range.top; row <= range.bottom; ++row) {
    for (int col = range.left; col <= range.right; ++col)
      visit(atomicAdd(&cursors[row * kBinsPerSide + col], 1));
  }
}

// Lists the circles of chunks `first` to `end`, of those before `count`, unless none of the `tiles`
// tiles is open. A chunk is the work of a block.
__global__ void __launch_bounds__(kListThreads, kResidentList)
    list_kernel(CircleScene scene, int first, int end, int count, const int* open, int tiles,
                Lists lists) {
  __shared__ int cursors[kBins];
  __shared__ int sums[kListThreads / 32];
  int any = 0;
  for (int tile = threadIdx.x; tile < tiles; tile += kListThreads)
    any |= open[tile];
  if (!__syncthreads_or(any)) return;

  for (int chunk = first + static_cast<int>(blockIdx.x); chunk < end; chunk += gridDim.x) {
    for (int bin = threadIdx.x; bin < kBins; bin += kListThreads)
      cursors[bin] = 0;
    BinRange ranges[kCirclesPerThread];
#pragma unroll
    for (int j = 0; j < kCirclesPerThread; ++j) {
      const int i = chunk * kChunk + j * kListThreads + static_cast<int>(threadIdx.x);
      ranges[j] = bins_of(scene, lists, i, count);
    }
    // All cursors are zero before any thread counts.
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kCirclesPerThread; ++j)
      count_up(ranges[j], cursors, [](int) {});
    // All circles are counted.
    __syncthreads();
    const int own_bin = threadIdx.x * kBinsPerThread;
    int own = 0;
    for (int k = 0; k < kBinsPerThread; ++k)
      own += cursors[own_bin + k];
    int total;
    int place = sum_before<kListThreads>(own, sums, &total);
    const bool room = total <= kPlaces;
    unsigned short* starts = lists.starts + static_cast<size_t>(chunk) * (kBins + 1);
    for (int k = 0; k < kBinsPerThread; ++k) {
      const int counted = cursors[own_bin + k];
      cursors[own_bin + k] = place;
      starts[own_bin + k] = room ? place : kUnlisted;
      place += counted;
    }
    if (threadIdx.x == 0) starts[kBins] = room ? total : kUnlisted;
    // All cursors are at the beginnings of their lists.
    __syncthreads();
    if (room) {
      unsigned short* places = lists.places + static_cast<size_t>(chunk) * kPlaces;
#pragma unroll
      for (int j = 0; j < kCirclesPerThread; ++j) {
        const int number = j * kListThreads + static_cast<int>(threadIdx.x);
        count_up(ranges[j], cursors, [&](int to) { places[to] = number; });
      }
    }
    // All cursors are used before the next chunk clears them.
    __syncthreads();
  }
}

// The list of a chunk for a bin.
struct List {
  int chunk;
  int size;
  const unsigned short* places;  // null: all circles of the chunk
};
__device__ List find_list(const Lists& lists, int chunk, int bin) {
  const unsigned short* starts = lists.starts + static_cast<size_t>(chunk) * (kBins + 1);
  const int begin = starts[bin];
  if (begin == kUnlisted) return {chunk, kChunk, nullptr};
  return {chunk, starts[bin + 1] - begin,
          lists.places + static_cast<size_t>(chunk) * kPlaces + begin};
}

// Copies every `step`-th number of a list from `k` on, as numbers of circles.
__device__ void copy_list(const List& list, int k, int step, int* to) {
  for (; k < list.size; k += step)
    to[k] = list.chunk * kChunk + (list.places != nullptr ? list.places[k] : k);
}

// Each lane has a list and its place in `to`, or -1: the short lists are copied by the lanes, the
// others by the warp.
__device__ void copy_lists(const List& list, int place, int* to) {
  const int lane = threadIdx.x % 32;
  if (place >= 0 && list.size <= kShortList) copy_list(list, 0, 1, to + place);
  unsigned left = __ballot_sync(kAllLanes, place >= 0 && list.size > kShortList);
  for (; left != 0; left &= left - 1) {
    const int from = __ffs(left) - 1;
    const List other = {__shfl_sync(kAllLanes, list.chunk, from),
                        __shfl_sync(kAllLanes, list.size, from),
                        reinterpret_cast<const unsigned short*>(__shfl_sync(
                            kAllLanes, reinterpret_cast<unsigned long long>(list.places), from))};
    copy_list(other, lane, 32, to + __shfl_sync(kAllLanes, place, from));
  }
}

// Sorts circles that came list by list, the last chunk first: a circle's place within its list is
// the number of circles behind.
__device__ void sort_lists(const int* listed, int count, int* sorted) {
  // All circles of one chunk are sorted without a look at each other.
  const bool whole_chunk = count == kChunk && listed[0] / kChunk == listed[kChunk - 1] / kChunk;
  for (int k = threadIdx.x; k < count; k += kBlockSize) {
    const int i = listed[k];
    int place = k;
    if (whole_chunk) {
      place = kChunk - 1 - i % kChunk;
    } else {
      const int chunk = i / kChunk;
      for (int other = k - 1; other >= 0 && listed[other] / kChunk == chunk; --other)
        place -= listed[other] < i;
      for (int other = k + 1; other < count && listed[other] / kChunk == chunk; ++other)
        place += listed[other] > i;
    }
    sorted[place] = i;
  }
}

// A block per open tile. A thread finds the list of a chunk for the tile's bin, then sorts some
// circles of the block's lists, tests a circle, and draws kPixels pixels. Draws the circles before
// `count` in chunks `first` to `end`; the chunks before `first` are left to the next launch.
template <bool kSnow>
__global__ void __launch_bounds__(kBlockSize, kResidentFar)
    draw_far_kernel(CircleScene scene, int first, int end, int count, Lists lists, int* open,
                    float4* image) {
  __shared__ Hits<kBlockSize> hits;
  __shared__ int listed[kChunk];
  __shared__ int sorted[kChunk];
  __shared__ int list_sums[kWarps];
  __shared__ int hit_sums[kWarps];
  __shared__ int window_end;
  int& is_open = open[blockIdx.y * gridDim.x + blockIdx.x];
  if (!is_open) return;
  const Box tile = make_box(scene, blockIdx.x * kTile, blockIdx.y * kTile, kTile, kTile);
  Pixels pixels = make_pixels(scene);
  for (int k = 0; k < kPixels; ++k) {
    if (is_inside(scene, pixels, k)) pixels.value[k] = image[pixel_index(scene, pixels, k)];
  }
  const int bin = blockIdx.y * kTile / lists.rows * kBinsPerSide + blockIdx.x * kTile / lists.cols;

  bool dark = false;  // the same in all threads of the block
  for (int top = end; top > first && !dark; top -= kBlockSize) {
    // Thread 0 has the last of the chunks of this round.
    const int chunk = top - 1 - static_cast<int>(threadIdx.x);
    List list = {chunk, 0, nullptr};
    if (chunk >= first) list = find_list(lists, chunk, bin);
    int found;
    const int before = sum_before<kBlockSize>(list.size, list_sums, &found);
    for (int begin = 0; begin < found && !dark; begin = window_end) {
      // A window is as many whole lists as have room, and ends where the first list begins that
      // does not fit.
      const bool follows = before >= begin;
      const bool fits = before + list.size <= begin + kChunk;
      copy_lists(list, follows && fits ? before - begin : -1, listed);
      // All threads have read the end of the window before.
      __syncthreads();
      if (threadIdx.x == 0) window_end = found;
      __syncthreads();
      if (follows && !fits) atomicMin(&window_end, before);
      // The lists are copied, and the end is known.
      __syncthreads();
      const int candidates = window_end - begin;
      sort_lists(listed, candidates, sorted);
      // All are sorted.
      __syncthreads();
      for (int k = 0; k < candidates && !dark; k += kBlockSize) {
        const int mine = k + static_cast<int>(threadIdx.x);
        const int i = mine < candidates ? sorted[mine] : count;
        // Without a branch, so that all loads are under way together.
        const float4 shape = load_shape(scene, min(i, count - 1));
        const float4 colour = load_colour(scene, min(i, count - 1));
        const bool hit = i < count && touches(shape, tile);
        int total;
        const int slot = sum_before<kBlockSize>(hit, hit_sums, &total);
        if (hit) {
          hits.shape[slot] = shape;
          hits.colour[slot] = colour;
        }
        // The hits are complete before any thread draws them.
        __syncthreads();
        draw_hits<kSnow>(hits, total, pixels);
        // All threads have drawn the hits before they are overwritten.
        dark = __syncthreads_and(is_dark(pixels));
      }
    }
    // All threads have read the sums before the next round's sums take their place.
    __syncthreads();
  }
  const bool leave_open = first > 0 && !dark;
  if (threadIdx.x == 0) is_open = leave_open;
  store_pixels(scene, pixels, leave_open, image);
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

  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int chunks = ceil_div(far, kChunk);
  const Lists lists = {workspace.take<unsigned short>(static_cast<size_t>(chunks) * (kBins + 1)),
                       workspace.take<unsigned short>(static_cast<size_t>(chunks) * kPlaces),
                       static_cast<int>(ceil_div(grid.x, kBinsPerSide)) * kTile,
                       static_cast<int>(ceil_div(grid.y, kBinsPerSide)) * kTile};
  int first = chunks > 2 * kFirstChunks ? chunks - kFirstChunks : 0;
  for (int end = chunks; end > 0; end = first, first = 0) {
    const int blocks = std::min(end - first, multiprocessors * kResidentList);
    list_kernel<<<blocks, kListThreads>>>(scene, first, end, far, open, tiles, lists);
    CUDA_CHECK(cudaGetLastError());
    draw_far_kernel<kSnow><<<grid, kBlockSize>>>(scene, first, end, far, lists, open, image);
    CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace& workspace) {
  if (scene.snow) {
    render<true>(scene, image, workspace);
  } else {
    render<false>(scene, image, workspace);
  }
}
