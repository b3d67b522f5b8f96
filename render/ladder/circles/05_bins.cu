// Rung 5: coarse bins: a tile looks only at the circles of the neighbourhood.
//
//   make check-render WITH=ladder/circles/05_bins.cu
//
// Idea: the image is divided into 16 x 16 bins of many tiles each, and a bit for each circle and
// bin says whether the two touch. The bits of a bin lie in the order of the circles, so nothing
// needs to be sorted; a word of zeros dismisses 32 circles at once. The blocks of the pack kernel
// make the bits: 256 circles each, collected in shared memory.
// Expect: gains where circles are many and small. 32 bytes of bits per circle are written, and a
// tile reads 1/256 of the bits.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kBlockSize = kTile * kTile;
constexpr int kWarps = kBlockSize / 32;
constexpr int kListSize = 2 * kBlockSize;

constexpr int kBinsPerSide = 16;
constexpr int kBins = kBinsPerSide * kBinsPerSide;

// Bit i % 32 of word bin * words + i / 32: does circle i touch the bin? `words` is a multiple of
// kPackWords, and the bits of circles that do not exist are 0.
struct Bins {
  unsigned* bits;
  int words;
  int cols;  // of a bin, in pixels, as the rows: whole tiles
  int rows;
};

// The centres of a tile's outermost pixels.
struct Box {
  float left, right, top, bottom;
};
__device__ Box tile_box(const CircleScene& scene) {
  const int col = blockIdx.x * kTile;
  const int row = blockIdx.y * kTile;
  return {(col + 0.5f) / scene.width, (col + kTile - 0.5f) / scene.width,
          (row + 0.5f) / scene.height, (row + kTile - 0.5f) / scene.height};
}

// A circle in two vectors.
struct PackedCircle {
  float4 shape;   // x, y, radius^2, z
  float4 colour;  // the fourth value is not used
};

constexpr int kPackBlockSize = 256;
constexpr int kPackWords = kPackBlockSize / 32;

// The bin of a coordinate on an axis with `pixels` pixels, `bin_pixels` to a bin. `coordinate` may
// lie outside of the picture.
__device__ int bin_of(float coordinate, int pixels, int bin_pixels) {
  const float inside = fminf(fmaxf(coordinate, 0), 1);
  return min(static_cast<int>(inside * pixels / bin_pixels), kBinsPerSide - 1);
}

// A thread per circle; a block makes kPackWords words of every bin.
__global__ void pack_kernel(CircleScene scene, float4* shapes, float4* colours, Bins bins) {
  static_assert(kPackBlockSize == kBins, "a thread is a circle first and a bin afterwards");
  __shared__ unsigned bits[kBins][kPackWords];
  for (int word = 0; word < kPackWords; ++word)
    bits[threadIdx.x][word] = 0;
  __syncthreads();

  const int i = blockIdx.x * kPackBlockSize + threadIdx.x;
  const float radius = i < scene.count ? scene.radius[i] : 0;
  if (radius > 0) {
    const float* position = &scene.position[3 * i];
    // A pixel's centre is half a pixel away from where the pixel begins: no need to care for
    // rounding as long as a circle gets all bins of the square around it.
    const int first_col = bin_of(position[0] - radius, scene.width, bins.cols);
    const int last_col = bin_of(position[0] + radius, scene.width, bins.cols);
    const int first_row = bin_of(position[1] - radius, scene.height, bins.rows);
    const int last_row = bin_of(position[1] + radius, scene.height, bins.rows);
    for (int row = first_row; row <= last_row; ++row) {
      for (int col = first_col; col <= last_col; ++col) {
        atomicOr(&bits[row * kBinsPerSide + col][threadIdx.x / 32], 1u << threadIdx.x % 32);
      }
    }
    const float* colour = &scene.colour[3 * i];
    shapes[i] = make_float4(position[0], position[1], radius * radius, position[2]);
    colours[i] = make_float4(colour[0], colour[1], colour[2], 0);
  }
  // All circles have set their bits.
  __syncthreads();
  unsigned* words = &bins.bits[static_cast<size_t>(threadIdx.x) * bins.words];
  for (int word = 0; word < kPackWords; ++word)
    words[blockIdx.x * kPackWords + word] = bits[threadIdx.x][word];
}

// Does the circle touch the box? Yes, if the box's nearest point is inside. With the arithmetic
// of draw(): rounding cannot cull a circle that draw() would find to cover a pixel.
__device__ bool touches(const float4& shape, const Box& box) {
  const float dx = fminf(fmaxf(shape.x, box.left), box.right) - shape.x;
  const float dy = fminf(fmaxf(shape.y, box.top), box.bottom) - shape.y;
  return dx * dx + dy * dy <= shape.z;
}

// An exclusive scan of a number per thread: the sum of the numbers before, and of all numbers in
// `total`. All threads of the block take part; `sums` holds kWarps numbers of shared memory.
__device__ int sum_before(int value, int thread, int* sums, int* total) {
  const int warp = thread / 32;
  const int lane = thread % 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xFFFFFFFF, sum, distance);
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

// Blends the circle into the pixel at (x, y) if the circle covers the pixel.
__device__ void draw(const PackedCircle& circle, bool snow, float x, float y, float4& pixel) {
  const float dx = x - circle.shape.x;
  const float dy = y - circle.shape.y;
  const float distance2 = dx * dx + dy * dy;
  if (distance2 > circle.shape.z) return;
  const float opacity = circle_opacity(snow, distance2, circle.shape.z, circle.shape.w);
  const float red = circle_colour(snow, 0, circle.colour.x, distance2, circle.shape.z);
  const float green = circle_colour(snow, 1, circle.colour.y, distance2, circle.shape.z);
  const float blue = circle_colour(snow, 2, circle.colour.z, distance2, circle.shape.z);
  pixel.x = opacity * red + (1 - opacity) * pixel.x;
  pixel.y = opacity * green + (1 - opacity) * pixel.y;
  pixel.z = opacity * blue + (1 - opacity) * pixel.z;
}

// A block of kTile x kTile threads per tile. A thread reads a word, 32 circles of the tile's bin,
// then tests a candidate that the words name, and then draws a pixel.
__global__ void render_circles_kernel(CircleScene scene, const float4* shapes,
                                      const float4* colours, Bins bins, float4* image) {
  __shared__ PackedCircle list[kListSize];
  __shared__ int candidates[kBlockSize];
  __shared__ int word_sums[kWarps];
  __shared__ int hit_sums[kWarps];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  const Box box = tile_box(scene);
  const int bin = blockIdx.y * kTile / bins.rows * kBinsPerSide + blockIdx.x * kTile / bins.cols;
  const unsigned* words = &bins.bits[static_cast<size_t>(bin) * bins.words];
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);

  int listed = 0;  // the same in all threads
  for (int first_word = 0; first_word < bins.words; first_word += kBlockSize) {
    const int word = first_word + thread;
    const unsigned bits = word < bins.words ? words[word] : 0;
    int found;
    const int before = sum_before(__popc(bits), thread, word_sums, &found);
    for (int first = 0; first < found; first += kBlockSize) {
      // Candidates first to first + kBlockSize: the thread whose word names a circle stores it.
      int place = before - first;
      for (unsigned left = bits; left != 0; left &= left - 1, ++place) {
        if (place >= 0 && place < kBlockSize) candidates[place] = 32 * word + __ffs(left) - 1;
      }
      __syncthreads();
      const bool candidate = first + thread < found;
      const float4 shape = candidate ? shapes[candidates[thread]] : make_float4(0, 0, -1, 0);
      const bool hit = touches(shape, box);
      int hits;
      const int slot = listed + sum_before(hit, thread, hit_sums, &hits);
      if (hit) list[slot] = {shape, colours[candidates[thread]]};
      listed += hits;
      // The list is complete before any thread draws from it; the candidates are no longer needed.
      __syncthreads();
      if (listed + kBlockSize <= kListSize) continue;
      for (int k = 0; k < listed; ++k)
        draw(list[k], scene.snow, x, y, pixel);
      // All threads have drawn the list before it is overwritten: a barrier precedes the next hit.
      listed = 0;
    }
    // All threads have read the sums before the next round's sums take their place.
    __syncthreads();
  }
  for (int k = 0; k < listed; ++k)
    draw(list[k], scene.snow, x, y, pixel);
  if (col < scene.width && row < scene.height) {
    image[static_cast<size_t>(row) * scene.width + col] = pixel;
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace& workspace) {
  float4* shapes = workspace.take<float4>(scene.count);
  float4* colours = workspace.take<float4>(scene.count);
  const int pack_blocks = ceil_div(scene.count, kPackBlockSize);
  const int words = pack_blocks * kPackWords;
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const Bins bins = {workspace.take<unsigned>(static_cast<size_t>(words) * kBins), words,
                     static_cast<int>(ceil_div(grid.x, kBinsPerSide)) * kTile,
                     static_cast<int>(ceil_div(grid.y, kBinsPerSide)) * kTile};
  if (scene.count > 0) {
    pack_kernel<<<pack_blocks, kPackBlockSize>>>(scene, shapes, colours, bins);
    CUDA_CHECK(cudaGetLastError());
  }
  const dim3 block(kTile, kTile);
  render_circles_kernel<<<grid, block>>>(scene, shapes, colours, bins, image);
  CUDA_CHECK(cudaGetLastError());
}
