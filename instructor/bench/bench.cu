// Measures the cost of the CPU device: kernels against the same algorithm as plain C++, in a single
// run.
//
//     make bench-cpudevice        builds and runs the program; CUDACPU_WORKERS=1 compares one
//     worker with one thread
//
// Prints a line per kernel: the best time of each side and the ratio. Both sides are compiled with
// the same options.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

constexpr int kRounds = 5;

// The processor time of all threads: other programs on the machine do not count.
double processor_ms() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <typename Work>
double best_ms(Work work) {
  double best = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    double start = processor_ms();
    work();
    best = std::min(best, processor_ms() - start);
  }
  return best;
}

template <typename Device, typename Plain>
void compare(const char* name, const char* aim, Device device, Plain plain) {
  double device_ms = best_ms([&] {
    device();
    cudaDeviceSynchronize();
  });
  double plain_ms = best_ms(plain);
  printf("%-34s %10.2f %10.2f %8.2f   %s\n", name, device_ms, plain_ms, device_ms / plain_ms, aim);
}

template <typename T>
T* managed(size_t n) {
  void* memory = nullptr;
  if (cudaMallocManaged(&memory, n * sizeof(T)) != cudaSuccess) {
    fprintf(stderr, "bench: no memory\n");
    exit(1);
  }
  return static_cast<T*>(memory);
}

void check(const char* what, bool right) {
  if (right) return;
  fprintf(stderr, "bench: %s: the kernel's answer is wrong\n", what);
  exit(1);
}

// ---- saxpy: no barrier, memory bound ----

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

__attribute__((noinline)) void saxpy_plain(int n, float scale, const float* x, const float* y,
                                           float* result) {
  for (int i = 0; i < n; ++i)
    result[i] = scale * x[i] + y[i];
}

void saxpy() {
  constexpr int kN = 1 << 24, kBlock = 256;
  float *x = managed<float>(kN), *y = managed<float>(kN), *a = managed<float>(kN);
  std::vector<float> b(kN);
  for (int i = 0; i < kN; ++i)
    x[i] = y[i] = static_cast<float>(i % 1000);
  compare(
      "saxpy 2^24", "<= 1.3", [&] { saxpy_kernel<<<kN / kBlock, kBlock>>>(kN, 2, x, y, a); },
      [&] { saxpy_plain(kN, 2, x, y, b.data()); });
  check("saxpy", std::equal(b.begin(), b.end(), a));
  for (float* p : {x, y, a})
    cudaFree(p);
}

// ---- bitonic sort, one launch per step: no barrier ----

__global__ void bitonic_kernel(unsigned* keys, unsigned j, unsigned k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned partner = i ^ j;
  if (partner <= i) return;
  unsigned a = keys[i], b = keys[partner];
  if ((a > b) == ((i & k) == 0)) {
    keys[i] = b;
    keys[partner] = a;
  }
}

__attribute__((noinline)) void bitonic_plain(unsigned* keys, unsigned n, unsigned j, unsigned k) {
  for (unsigned i = 0; i < n; ++i) {
    unsigned partner = i ^ j;
    if (partner <= i) continue;
    unsigned a = keys[i], b = keys[partner];
    if ((a > b) == ((i & k) == 0)) {
      keys[i] = b;
      keys[partner] = a;
    }
  }
}

void bitonic() {
  constexpr unsigned kN = 1 << 20, kBlock = 256;
  auto* keys = managed<unsigned>(kN);
  std::vector<unsigned> plain(kN);
  auto fill = [](unsigned* p) {
    for (unsigned i = 0; i < kN; ++i)
      p[i] = i * 2654435761u;
  };
  auto steps = [](auto step) {
    for (unsigned k = 2; k <= kN; k *= 2) {
      for (unsigned j = k / 2; j > 0; j /= 2)
        step(j, k);
    }
  };
  compare(
      "bitonic steps 2^20", "<= 1.2",
      [&] {
        fill(keys);
        steps([&](unsigned j, unsigned k) { bitonic_kernel<<<kN / kBlock, kBlock>>>(keys, j, k); });
      },
      [&] {
        fill(plain.data());
        steps([&](unsigned j, unsigned k) { bitonic_plain(plain.data(), kN, j, k); });
      });
  check("bitonic", std::is_sorted(keys, keys + kN) && std::equal(keys, keys + kN, plain.data()));
  cudaFree(keys);
}

// ---- loops that walk down columns: without a barrier, threads take turns ----

__global__ void column_sums_kernel(const float* matrix, int n, float* sums) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  float sum = 0;
  for (int row = 0; row < n; ++row)
    sum += matrix[row * n + column];
  sums[column] = sum;
}

__attribute__((noinline)) void column_sums_plain(const float* matrix, int n, float* sums) {
  std::fill(sums, sums + n, 0.0f);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column)
      sums[column] += matrix[row * n + column];
  }
}

void column_sums() {
  constexpr int kN = 4096, kBlock = 256;
  float *matrix = managed<float>(kN * kN), *sums = managed<float>(kN);
  std::vector<float> plain(kN);
  for (int i = 0; i < kN * kN; ++i)
    matrix[i] = static_cast<float>(i % 1000);
  compare(
      "column sums, 4096^2", "-",
      [&] { column_sums_kernel<<<kN / kBlock, kBlock>>>(matrix, kN, sums); },
      [&] { column_sums_plain(matrix, kN, plain.data()); });
  check("column sums", std::equal(plain.begin(), plain.end(), sums));
  cudaFree(matrix);
  cudaFree(sums);
}

__global__ void product_kernel(const float* a, const float* b, int n, float* c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// With barriers: through shared tiles of 32^2, an element a thread.
constexpr int kTile = 32;

__global__ void tiled_product_kernel(const float* a, const float* b, int n, float* c) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// With 4x4 elements a thread, in registers on a GPU: 16x16 threads compute 64x64 elements.
constexpr int kSquare = 4, kWide = 64, kDepth = 8;

__global__ void square_product_kernel(const float* a, const float* b, int n, float* c) {
  __shared__ float tile_a[kWide][kDepth], tile_b[kDepth][kWide];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * (kWide / kSquare) + x;
  const int row = blockIdx.y * kWide, column = blockIdx.x * kWide;
  float sums[kSquare][kSquare] = {};
  for (int first = 0; first < n; first += kDepth) {
    for (int i = thread; i < kWide * kDepth; i += kWide * kWide / kSquare / kSquare) {
      tile_a[i / kDepth][i % kDepth] = a[(row + i / kDepth) * n + first + i % kDepth];
      tile_b[i / kWide][i % kWide] = b[(first + i / kWide) * n + column + i % kWide];
    }
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      float from_a[kSquare], from_b[kSquare];
      for (int i = 0; i < kSquare; ++i) {
        from_a[i] = tile_a[y * kSquare + i][k];
        from_b[i] = tile_b[k][x * kSquare + i];
      }
      for (int i = 0; i < kSquare; ++i) {
        for (int j = 0; j < kSquare; ++j)
          sums[i][j] += from_a[i] * from_b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kSquare; ++i) {
    for (int j = 0; j < kSquare; ++j)
      c[(row + y * kSquare + i) * n + column + x * kSquare + j] = sums[i][j];
  }
}

__attribute__((noinline)) void product_plain(const float* a, const float* b, int rows, int n,
                                             float* c) {
  std::fill(c, c + rows * n, 0.0f);
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < n; ++k) {
      for (int column = 0; column < n; ++column)
        c[row * n + column] += a[row * n + k] * b[k * n + column];
    }
  }
}

void product() {
  constexpr int kRows = 64, kN = 1024;
  float *a = managed<float>(kRows * kN), *b = managed<float>(kN * kN);
  auto* c = managed<float>(kRows * kN);
  std::vector<float> plain(kRows * kN);
  for (int i = 0; i < kN * kN; ++i) {
    b[i] = static_cast<float>(i % 5);
    if (i < kRows * kN) a[i] = static_cast<float>(i % 7);
  }
  auto one = [&](const char* name, const char* aim, auto kernel, int tile, dim3 block) {
    const dim3 grid(kN / tile, kRows / tile);
    compare(
        name, aim, [&] { kernel<<<grid, block>>>(a, b, kN, c); },
        [&] { product_plain(a, b, kRows, kN, plain.data()); });
    check(name, std::equal(plain.begin(), plain.end(), c));
  };
  one("matrix product, 64 rows of 1024^2", "-", product_kernel, 16, dim3(16, 16));
  one("the same through shared tiles", "<= 8", tiled_product_kernel, kTile, dim3(kTile, kTile));
  one("the same, 4x4 elements a thread", "<= 8", square_product_kernel, kWide, dim3(16, 16));
  for (float* p : {a, b, c})
    cudaFree(p);
}

// ---- transpose through shared memory: one barrier, hardly any work ----

__global__ void transpose_kernel(const float* input, int n, float* output) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = input[y * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  output[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__attribute__((noinline)) void transpose_plain(const float* input, int n, float* output) {
  for (int by = 0; by < n; by += kTile) {
    for (int bx = 0; bx < n; bx += kTile) {
      float tile[kTile][kTile + 1];
      for (int y = 0; y < kTile; ++y) {
        for (int x = 0; x < kTile; ++x)
          tile[y][x] = input[(by + y) * n + bx + x];
      }
      for (int y = 0; y < kTile; ++y) {
        for (int x = 0; x < kTile; ++x)
          output[(bx + y) * n + by + x] = tile[x][y];
      }
    }
  }
}

void transpose() {
  constexpr int kN = 4096;
  float *input = managed<float>(kN * kN), *output = managed<float>(kN * kN);
  std::vector<float> plain(kN * kN);
  for (int i = 0; i < kN * kN; ++i)
    input[i] = static_cast<float>(i);
  compare(
      "transpose, shared tile, 4096^2", "<= 8",
      [&] {
        transpose_kernel<<<dim3(kN / kTile, kN / kTile), dim3(kTile, kTile)>>>(input, kN, output);
      },
      [&] { transpose_plain(input, kN, plain.data()); });
  check("transpose", std::equal(plain.begin(), plain.end(), output));
  cudaFree(input);
  cudaFree(output);
}

// ---- inclusive scan of each block of 256: nine barriers ----

constexpr int kScanBlock = 256;

__global__ void scan_kernel(const int* input, int* output) {
  __shared__ int sums[2][kScanBlock];
  int i = blockIdx.x * kScanBlock + threadIdx.x, t = threadIdx.x;
  int from = 0;
  sums[from][t] = input[i];
  __syncthreads();
  for (int offset = 1; offset < kScanBlock; offset *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
    from = 1 - from;
    __syncthreads();
  }
  output[i] = sums[from][t];
}

__attribute__((noinline)) void scan_plain(const int* input, int n, int* output) {
  for (int block = 0; block < n; block += kScanBlock) {
    int sums[2][kScanBlock];
    int from = 0;
    for (int t = 0; t < kScanBlock; ++t)
      sums[from][t] = input[block + t];
    for (int offset = 1; offset < kScanBlock; offset *= 2) {
      for (int t = 0; t < kScanBlock; ++t) {
        sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
      }
      from = 1 - from;
    }
    for (int t = 0; t < kScanBlock; ++t)
      output[block + t] = sums[from][t];
  }
}

void scan() {
  constexpr int kN = 1 << 22;
  int *input = managed<int>(kN), *output = managed<int>(kN);
  std::vector<int> plain(kN);
  for (int i = 0; i < kN; ++i)
    input[i] = i % 7;
  compare(
      "block scan, 9 barriers, 2^22", "<= 8",
      [&] { scan_kernel<<<kN / kScanBlock, kScanBlock>>>(input, output); },
      [&] { scan_plain(input, kN, plain.data()); });
  check("scan", std::equal(plain.begin(), plain.end(), output));
  cudaFree(input);
  cudaFree(output);
}

// Circles over tiles of 16x16 pixels: finds the circles that touch the tile, 256 at a time, with a
// scan in shared memory; then each pixel adds up its circles in order.

constexpr int kSide = 16, kTilePixels = kSide * kSide;

struct Circle {
  float x, y, radius, shade;
};

__host__ __device__ inline bool touches(const Circle& c, int left, int top) {
  float dx = c.x - fminf(fmaxf(c.x, left), left + kSide);
  float dy = c.y - fminf(fmaxf(c.y, top), top + kSide);
  return dx * dx + dy * dy <= c.radius * c.radius;
}
__host__ __device__ inline float blend(float colour, const Circle& c, int x, int y) {
  float dx = x + 0.5f - c.x, dy = y + 0.5f - c.y;
  return dx * dx + dy * dy <= c.radius * c.radius ? 0.5f * colour + 0.5f * c.shade : colour;
}

__global__ void circles_kernel(const Circle* circles, int count, int width, float* image) {
  __shared__ int sums[2][kTilePixels];
  __shared__ int list[kTilePixels];
  int t = threadIdx.y * kSide + threadIdx.x;
  int left = blockIdx.x * kSide, top = blockIdx.y * kSide;
  int x = left + threadIdx.x, y = top + threadIdx.y;
  float colour = 1;
  for (int first = 0; first < count; first += kTilePixels) {
    bool mine = first + t < count && touches(circles[first + t], left, top);
    int from = 0;
    sums[from][t] = mine;
    __syncthreads();
    for (int offset = 1; offset < kTilePixels; offset *= 2) {
      sums[1 - from][t] = sums[from][t] + (t >= offset ? sums[from][t - offset] : 0);
      from = 1 - from;
      __syncthreads();
    }
    if (mine) list[sums[from][t] - 1] = first + t;
    int found = sums[from][kTilePixels - 1];
    __syncthreads();
    for (int i = 0; i < found; ++i)
      colour = blend(colour, circles[list[i]], x, y);
    __syncthreads();
  }
  image[y * width + x] = colour;
}

__attribute__((noinline)) void circles_plain(const Circle* circles, int count, int width,
                                             float* image) {
  std::vector<int> list;
  for (int top = 0; top < width; top += kSide) {
    for (int left = 0; left < width; left += kSide) {
      list.clear();
      for (int i = 0; i < count; ++i) {
        if (touches(circles[i], left, top)) list.push_back(i);
      }
      for (int y = top; y < top + kSide; ++y) {
        for (int x = left; x < left + kSide; ++x) {
          float colour = 1;
          for (int i : list)
            colour = blend(colour, circles[i], x, y);
          image[y * width + x] = colour;
        }
      }
    }
  }
}

void circles() {
  constexpr int kCount = 2560, kWidth = 512;
  auto* scene = managed<Circle>(kCount);
  auto* image = managed<float>(kWidth * kWidth);
  std::vector<float> plain(kWidth * kWidth);
  unsigned state = 1;
  auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / (1 << 24);
  };
  for (int i = 0; i < kCount; ++i) {
    scene[i] = {random() * kWidth, random() * kWidth, 4 + random() * 16, random()};
  }
  compare(
      "circles 512^2, 110 barriers", "<= 8",
      [&] {
        circles_kernel<<<dim3(kWidth / kSide, kWidth / kSide), dim3(kSide, kSide)>>>(scene, kCount,
                                                                                     kWidth, image);
      },
      [&] { circles_plain(scene, kCount, kWidth, plain.data()); });
  check("circles", std::equal(plain.begin(), plain.end(), image));
  cudaFree(scene);
  cudaFree(image);
}

}  // namespace

int main() {
  const char* workers = getenv("CUDACPU_WORKERS");
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("%s%s\n", device.name, workers ? "" : "; CUDACPU_WORKERS=1 compares one with one");
  printf("%-34s %10s %10s %8s   %s\n", "", "kernel ms", "C++ ms", "ratio", "aim");
  saxpy();
  bitonic();
  column_sums();
  product();
  transpose();
  scan();
  circles();
}
