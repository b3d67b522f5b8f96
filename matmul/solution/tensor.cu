// The solution: products of warpgroups on Hopper, mma.sync elsewhere.
// needs: compute capability 8.0
//
//   make check-matmul PART=tensor WITH=solution
//
// On a GPU of compute capability 9.0 large products take rung 6's way: a warpgroup starts bulk
// copies, two start wgmma. Everywhere else, and for products that would leave most multiprocessors
// without a tile, tiles are multiplied as on rung 5, in a shape that suits the matrices.
//
// Rows that do not begin on 16-byte boundaries are the hard case: no copy takes more than an
// element. Threads put each chunk of eight elements together from the five aligned words that hold
// the chunk, on Hopper as well.
#include <cuda.h>
#include <cuda_pipeline.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kChunk = 8;  // elements of 16 bytes, which lie together wherever a row is

// Eight elements from the index `first` on: from the five aligned words that hold the elements, all
// in the matrix.
__device__ uint4 load_chunk(const __nv_bfloat16* matrix, size_t first) {
  const unsigned* words = reinterpret_cast<const unsigned*>(matrix) + first / 2;
  const unsigned shift = first % 2 * 16;
  const unsigned w[] = {words[0], words[1], words[2], words[3], words[4]};
  return make_uint4(__funnelshift_r(w[0], w[1], shift), __funnelshift_r(w[1], w[2], shift),
                    __funnelshift_r(w[2], w[3], shift), __funnelshift_r(w[3], w[4], shift));
}

// The elements (row, col) to (row, col + 7), one by one; elements outside of the matrix are 0.
__device__ uint4 load_chunk_at_edge(const __nv_bfloat16* matrix, int rows, int cols, int row,
                                    int col) {
  const __nv_bfloat16* from = matrix + static_cast<size_t>(row) * cols + col;
  const auto bits = [&](int i) -> unsigned {
    return row < rows && col + i < cols ? __bfloat16_as_ushort(from[i]) : 0;
  };
  return make_uint4(bits(0) | bits(1) << 16, bits(2) | bits(3) << 16, bits(4) | bits(5) << 16,
                    bits(6) | bits(7) << 16);
}

// Two neighbours in a row of C.
template <bool kVectors>
__device__ void store_pair(float first, float second, float* c, int m, int n, int row, int col) {
  if (row >= m) return;
  float* to = c + static_cast<size_t>(row) * n + col;
  if (kVectors) {
    if (col < n) *reinterpret_cast<float2*>(to) = make_float2(first, second);
  } else {
    if (col < n) to[0] = first;
    if (col + 1 < n) to[1] = second;
  }
}

// ---- mma.sync ----

constexpr int kRows = 16;  // of C, for one mma.sync
constexpr int kCols = 8;
constexpr int kInner = 16;  // columns of A and rows of B for it

// How a block of C is shared out: four warps, each with a quarter of the tile, in stages of kDepth
// columns of A and rows of B.
template <int tile_rows, int tile_cols, int stages>
struct Shape {
  static constexpr int kTileRows = tile_rows;
  static constexpr int kTileCols = tile_cols;
  static constexpr int kDepth = 32;
  static constexpr int kStages = stages;
  static constexpr int kWarpRows = tile_rows / 2;
  static constexpr int kWarpCols = tile_cols / 2;
  static constexpr int kThreads = 128;
  static constexpr int kDown = kWarpRows / kRows;
  static constexpr int kAcross = kWarpCols / kCols;
  static constexpr int kAChunks = tile_rows * kDepth / kChunk;
  static constexpr int kStageChunks = kAChunks + kDepth * tile_cols / kChunk;
  static constexpr int kSharedBytes = stages * kStageChunks * 16;
};

using Large = Shape<128, 128, 4>;
using Narrow = Shape<128, 64, 4>;
using Small = Shape<64, 64, 4>;

// A lane's part of matrices of bf16 numbers: two of them in each register.
struct Four {
  unsigned r[4];
};

// A lane's part of kRows x kCols sums: neighbours in row lane / 4, and in the row 8 further down.
struct Sums {
  float r[4];
};

// Four matrices of 8 x 8: lanes 8 i to 8 i + 7 give the rows of matrix i, of 16 bytes each. A lane
// gets two neighbours of row lane / 4 of each.
__device__ Four load_matrices(const uint4* row) {
  Four four;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.r[0]), "=r"(four.r[1]), "=r"(four.r[2]), "=r"(four.r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  return four;
}

// The same of the transposed matrices: two neighbours of column lane / 4 of each.
__device__ Four load_transposed(const uint4* row) {
  Four four;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.r[0]), "=r"(four.r[1]), "=r"(four.r[2]), "=r"(four.r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  return four;
}

// The sums and the product of A's 16 x 16 and B's 16 x 8 elements.
__device__ Sums multiply(Four a, unsigned b_upper, unsigned b_lower, Sums sums) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums.r[0]), "+f"(sums.r[1]), "+f"(sums.r[2]), "+f"(sums.r[3])
      : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b_upper), "r"(b_lower));
  return sums;
}

// Where a chunk of a row lies in a tile whose rows have kChunks chunks: the same chunk of eight
// rows of a column is in all of the 32 banks.
template <int kChunks>
__device__ int place_of_chunk(int row, int chunk) {
  return row * kChunks + (chunk ^ (kChunks < 8 ? row / 2 % 4 : row % 8));
}

// The block begins to copy kTileRows x kTileCols elements of a matrix, from element (row, col) on;
// elements outside are 0. kVectors: rows begin on 16-byte boundaries, and so a chunk is either
// inside or outside.
template <bool kVectors, int kTileRows, int kTileCols, int kThreads>
__device__ void copy_tile(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                          uint4* tile) {
  constexpr int kChunks = kTileCols / kChunk;
  const auto copy = [&](auto copy_chunk) {
#pragma unroll
    for (int i = 0; i < kTileRows * kChunks; i += kThreads) {
      const int r = (i + threadIdx.x) / kChunks;
      const int q = (i + threadIdx.x) % kChunks;
      copy_chunk(row + r, col + q * kChunk, &tile[place_of_chunk<kChunks>(r, q)]);
    }
  };
  if (kVectors) {
    copy([&](int r, int q, uint4* to) {
      const bool inside = r < rows && q < cols;
      const __nv_bfloat16* from = matrix + static_cast<size_t>(r) * cols + q;
      __pipeline_memcpy_async(to, inside ? from : matrix, sizeof *to, inside ? 0 : sizeof *to);
    });
  } else if (row + kTileRows < rows && col + kTileCols <= cols) {
    // The words of the last row could reach beyond the matrix.
    copy([&](int r, int q, uint4* to) {
      *to = load_chunk(matrix, static_cast<size_t>(r) * cols + q);
    });
  } else {
    copy([&](int r, int q, uint4* to) { *to = load_chunk_at_edge(matrix, rows, cols, r, q); });
  }
}

// A block per tile of C; tiles are numbered along the rows of C.
template <class S, bool kVectors>
__global__ void __launch_bounds__(S::kThreads)
    mma_kernel(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  extern __shared__ uint4 stages[];
  const int tiles_across = (n + S::kTileCols - 1) / S::kTileCols;
  const int tile_row = blockIdx.x / tiles_across * S::kTileRows;
  const int tile_col = blockIdx.x % tiles_across * S::kTileCols;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / 2 * S::kWarpRows;
  const int col = warp % 2 * S::kWarpCols;

  const int steps = (k + S::kDepth - 1) / S::kDepth;
  const auto copy = [&](int step) {
    if (step < steps) {
      uint4* const stage = stages + step % S::kStages * S::kStageChunks;
      copy_tile<kVectors, S::kTileRows, S::kDepth, S::kThreads>(a, m, k, tile_row, step * S::kDepth,
                                                                stage);
      copy_tile<kVectors, S::kDepth, S::kTileCols, S::kThreads>(b, k, n, step * S::kDepth, tile_col,
                                                                stage + S::kAChunks);
    }
    // Also where there is nothing to copy: what is waited for is counted in commits.
    __pipeline_commit();
  };

  Sums sums[S::kDown][S::kAcross] = {};
  for (int step = 0; step < S::kStages - 1; ++step)
    copy(step);
  for (int step = 0; step < steps; ++step) {
    // All threads' copies of the oldest stage have arrived; and all threads have used the stage
    // before, whose place the next copies take.
    __pipeline_wait_prior(S::kStages - 2);
    __syncthreads();
    copy(step + S::kStages - 1);
    const uint4* const a_tile = stages + step % S::kStages * S::kStageChunks;
    const uint4* const b_tile = a_tile + S::kAChunks;
#pragma unroll
    for (int l = 0; l < S::kDepth; l += kInner) {
      // Of 16 x 16 elements the upper left matrix, the lower left matrix, and both to the right.
      Four a_part[S::kDown];
#pragma unroll
      for (int i = 0; i < S::kDown; ++i) {
        const int place =
            place_of_chunk<S::kDepth / kChunk>(row + i * kRows + lane % 16, l / kChunk + lane / 16);
        a_part[i] = load_matrices(&a_tile[place]);
      }
#pragma unroll
      for (int j = 0; j < S::kAcross; j += 2) {
        const int place = place_of_chunk<S::kTileCols / kChunk>(
            l + lane % 16, (col + j * kCols) / kChunk + lane / 16);
        const Four b_part = load_transposed(&b_tile[place]);
#pragma unroll
        for (int i = 0; i < S::kDown; ++i) {
          sums[i][j] = multiply(a_part[i], b_part.r[0], b_part.r[1], sums[i][j]);
          sums[i][j + 1] = multiply(a_part[i], b_part.r[2], b_part.r[3], sums[i][j + 1]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < S::kDown; ++i) {
    const int c_row = tile_row + row + i * kRows + lane / 4;
#pragma unroll
    for (int j = 0; j < S::kAcross; ++j) {
      const int c_col = tile_col + col + j * kCols + lane % 4 * 2;
      const Sums four = sums[i][j];
      store_pair<kVectors>(four.r[0], four.r[1], c, m, n, c_row, c_col);
      store_pair<kVectors>(four.r[2], four.r[3], c, m, n, c_row + 8, c_col);
    }
  }
}

template <class S, bool kVectors>
void launch_mma(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  const int blocks = ceil_div(m, S::kTileRows) * ceil_div(n, S::kTileCols);
  const auto kernel = mma_kernel<S, kVectors>;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  kernel<<<blocks, S::kThreads, S::kSharedBytes>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

template <class S>
void launch_mma(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (n % kChunk == 0 && k % kChunk == 0) {
    launch_mma<S, true>(m, n, k, a, b, c);
  } else {
    launch_mma<S, false>(m, n, k, a, b, c);
  }
}

// ---- wgmma ----

namespace hopper {
constexpr int kTileRows = 128;  // of C for a block
constexpr int kTileCols = 256;
constexpr int kDepth = 64;  // columns of A and rows of B in a stage; of A's rows they are 128 bytes
constexpr int kGroupRows = 64;  // of C for a warpgroup
constexpr int kBoxCols = 64;    // of B that a copy brings: 128 bytes of each row
constexpr int kStages = 4;
constexpr int kWarpgroup = 128;
constexpr int kConsumers = kTileRows / kGroupRows;
constexpr int kBlockSize = kWarpgroup * (kConsumers + 1);

// Rows of 128 bytes, of which eight together lie at a multiple of 1024 bytes.
struct Stage {
  __nv_bfloat16 a[kTileRows][kDepth];
  __nv_bfloat16 b[kTileCols / kBoxCols][kDepth][kBoxCols];
};

struct Shared {
  Stage stages[kStages];
  uint64_t full[kStages];   // mbarriers: the stage's tiles are there
  uint64_t empty[kStages];  // and: no thread reads them any more
};
constexpr int kSharedBytes = sizeof(Shared) + 1024;  // it may begin up to 1024 bytes later

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

constexpr int kInner = 16;                                  // of kDepth for one wgmma
constexpr int kSums = kGroupRows * kTileCols / kWarpgroup;  // of a thread
constexpr int kBand =
    16;  // rows of tiles that are computed together, so that L2 holds the operands
// Registers of a thread. All begin with 168, and what producers give back consumers take.
constexpr int kProducerRegisters = 56;
constexpr int kConsumerRegisters = 224;

__device__ unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// An mbarrier completes a phase when `count` threads have arrived and all bytes expected.
__device__ void init(uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count));
}
__device__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_of(barrier)),
               "r"(bytes)
               : "memory");
}
// Waits for the end of a phase; phases are even and odd in turn, the first phase is even. Of a new
// barrier the odd phase counts as ended.
__device__ void wait(uint64_t* barrier, int odd) {
  unsigned ended = 0;
  while (!ended) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(address_of(barrier)), "r"(odd)
        : "memory");
  }
}

// Begins to copy the box of a tensor map whose first element is (row, col); `barrier` counts it.
__device__ void copy_box(const CUtensorMap* map, int row, int col, void* to, uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(address_of(to)),
      "l"(reinterpret_cast<unsigned long long>(map)), "r"(col), "r"(row), "r"(address_of(barrier))
      : "memory");
}

// Where and how a matrix lies in shared memory: swizzled in units of 8 rows of 128 bytes, `group`
// bytes from one unit to the next, and `box` bytes to where the elements behind the 128 bytes are.
__device__ uint64_t descriptor(const void* matrix, int box, int group) {
  constexpr uint64_t kSwizzle128 = uint64_t{1} << 62;
  return kSwizzle128 | static_cast<uint64_t>(group / 16) << 32 |
         static_cast<uint64_t>(box / 16) << 16 | (address_of(matrix) & 0x3FFFF) / 16;
}

// Begins to add the product of 64 x 16 elements of A and 16 x 256 of B, whose rows lie along n.
__device__ void multiply(float (&d)[kSums], uint64_t a, uint64_t b) {
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; "
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
      "%127}, %128, %129, p, 1, 1, 0, 1; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b));
}

// Tile `index` of C: its first row and column. kBand rows of tiles are taken column by column.
struct Place {
  int row;
  int col;
};
__device__ Place place_of(int index, int m, int n) {
  const int down = (m + kTileRows - 1) / kTileRows;
  const int across = (n + kTileCols - 1) / kTileCols;
  const int band = index / (kBand * across);
  const int height = min(kBand, down - band * kBand);
  const int inside = index - band * kBand * across;
  return {(band * kBand + inside % height) * kTileRows, inside / height * kTileCols};
}

#endif

// Blocks, one on each multiprocessor, take every gridDim.x-th tile of C. The first warpgroup fills
// stages, the others compute kGroupRows rows each.
__global__ void __launch_bounds__(kBlockSize, 1)
    warpgroup_kernel(int m, int n, int k, int tiles, float* c,
                     const __grid_constant__ CUtensorMap a_map,
                     const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory + (1024 - address_of(memory) % 1024) % 1024);
  const int steps = (k + kDepth - 1) / kDepth;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], 1);
      init(&shared.empty[stage], kConsumers * kWarpgroup / 32);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // bulk copies see them
  }
  __syncthreads();
  int stage = 0;
  int odd = 0;  // the phase of the stage's barriers that is waited for
  const auto next_stage = [&] {
    stage = (stage + 1) % kStages;
    if (stage == 0) odd ^= 1;
  };
  if (threadIdx.x < kWarpgroup) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kProducerRegisters));
    if (threadIdx.x != 0) return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const Place place = place_of(tile, m, n);
      for (int step = 0; step < steps; ++step, next_stage()) {
        Stage& to = shared.stages[stage];
        wait(&shared.empty[stage], odd ^ 1);
        arrive_and_expect(&shared.full[stage], sizeof(Stage));
        copy_box(&a_map, place.row, step * kDepth, to.a, &shared.full[stage]);
        for (int box = 0; box < kTileCols / kBoxCols; ++box) {
          copy_box(&b_map, step * kDepth, place.col + box * kBoxCols, to.b[box],
                   &shared.full[stage]);
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kConsumerRegisters));
    const int consumer = threadIdx.x / kWarpgroup - 1;
    const int thread = threadIdx.x % kWarpgroup;
    const int row = consumer * kGroupRows;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      float sums[kSums] = {};
      int last = 0;
      for (int step = 0; step < steps; ++step, next_stage()) {
        Stage& from = shared.stages[stage];
        wait(&shared.full[stage], odd);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int l = 0; l < kDepth; l += kInner) {
          multiply(sums, descriptor(&from.a[row][l], 0, 8 * sizeof *from.a),
                   descriptor(from.b[0][l], sizeof *from.b, 8 * sizeof **from.b));
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // The products of the stage before are done, while these go on.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (step > 0 && thread % 32 == 0) arrive(&shared.empty[last]);
        last = stage;
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (steps > 0 && thread % 32 == 0) arrive(&shared.empty[last]);
      // Sums lie as those of mma.sync do: 16 rows for each warp, and 8 columns after the other.
      const Place place = place_of(tile, m, n);
      const int c_row = place.row + row + thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
      for (int i = 0; i < kSums; i += 4) {
        const int c_col = place.col + i * 2 + thread % 4 * 2;
        store_pair<true>(sums[i], sums[i + 1], c, m, n, c_row, c_col);
        store_pair<true>(sums[i + 2], sums[i + 3], c, m, n, c_row + 8, c_col);
      }
    }
  }
#endif
}

// A description of a row-major matrix for bulk copies of box_rows x 64 elements, swizzled. What
// lies outside of the matrix is 0.
CUtensorMap tensor_map(const __nv_bfloat16* matrix, int rows, int cols, int box_rows) {
  static const auto encode = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                cudaEnableDefault, &found));
    if (!function) throw CudaError("the driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(cols), static_cast<cuuint64_t>(rows)};
  const cuuint64_t pitch[] = {extents[0] * sizeof *matrix};
  const cuuint32_t box[] = {64, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t neighbours[] = {1, 1};
  CUtensorMap map;
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__nv_bfloat16*>(matrix), extents,
             pitch, box, neighbours, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw CudaError("cuTensorMapEncodeTiled failed: %d", result);
  return map;
}

// Can bulk copies take the rows, and do bulk copies pay: a tile for most multiprocessors, and not
// too much of the tile empty?
bool suits(int m, int n, int k, int multiprocessors) {
  return k > 0 && k % kChunk == 0 && n % kChunk == 0 && n >= kTileCols / 2 &&
         2 * ceil_div(m, kTileRows) * ceil_div(n, kTileCols) > multiprocessors;
}

void launch(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c,
            int multiprocessors) {
  const int tiles = ceil_div(m, kTileRows) * ceil_div(n, kTileCols);
  const int blocks = tiles < multiprocessors ? tiles : multiprocessors;
  CUDA_CHECK(cudaFuncSetAttribute(warpgroup_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  kSharedBytes));
  warpgroup_kernel<<<blocks, kBlockSize, kSharedBytes>>>(
      m, n, k, tiles, c, tensor_map(a, m, k, kTileRows), tensor_map(b, k, n, kDepth));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace hopper
}  // namespace

void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  int device;
  int multiprocessors;
  int major;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  const auto fills = [&](int rows, int cols) {
    return n >= cols && ceil_div(m, rows) * ceil_div(n, cols) >= multiprocessors;
  };
  if (major == 9 && hopper::suits(m, n, k, multiprocessors)) {
    hopper::launch(m, n, k, a, b, c, multiprocessors);
  } else if (fills(Large::kTileRows, Large::kTileCols)) {
    launch_mma<Large>(m, n, k, a, b, c);
  } else if (fills(Narrow::kTileRows, Narrow::kTileCols)) {
    launch_mma<Narrow>(m, n, k, a, b, c);
  } else {
    launch_mma<Small>(m, n, k, a, b, c);
  }
}
