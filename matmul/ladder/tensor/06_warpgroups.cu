// Rung 6: products of warpgroups, bulk copies, warps with different jobs: Hopper.
// needs: compute capability 9.0, no other
//
//   make check-matmul WITH=ladder/tensor/06_warpgroups.cu DEVICE=gpu
//
// Idea: wgmma multiplies 64 x 16 by 16 x 256 elements in shared memory, for 128 threads together,
// and the threads go on meanwhile; a bulk copy brings a whole tile, swizzles the tile on the way
// and tells a barrier in shared memory of the arrival. So a warpgroup only starts copies, and two
// only start products: a ring of four stages lies between. Expect: no instruction loads a
// fragment, no thread waits at a barrier of the block, and tensor cores are busy but for the
// stores of C.
#include <cuda.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTileRows = 128;  // of C for a block
constexpr int kTileCols = 256;
constexpr int kDepth = 64;  // columns of A and rows of B in a stage; of A's rows they are 128 bytes
constexpr int kGroupRows = 64;  // of C for a warpgroup
constexpr int kBoxCols = 64;    // of B that a copy brings: 128 bytes of each row
constexpr int kChunk = 8;       // elements that swizzling moves together: 16 bytes
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
// Registers of a thread. All begin with 168, and what producers give back consumers take. Producers
// without bulk copies need registers for elements under way.
template <bool kBulk>
constexpr int kProducerRegisters = kBulk ? 56 : 104;
template <bool kBulk>
constexpr int kConsumerRegisters = kBulk ? 224 : 200;

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

// Fills a part of a stage without bulk copies, which need rows that begin on 16-byte boundaries:
// the producers' threads write kRows x kCols elements, chunk by chunk, to the swizzled
// places.
template <int kRows, int kCols>
__device__ void copy_rows(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                          __nv_bfloat16* to) {
  constexpr int kChunks = kCols / kChunk;
  constexpr int kBoxChunks = kDepth / kChunk;
  const auto copy = [&](auto load) {
#pragma unroll 8
    for (int i = threadIdx.x; i < kRows * kChunks; i += kWarpgroup) {
      const int r = i / kChunks;
      const int q = i % kChunks;
      const int place = (q / kBoxChunks * kRows + r) * kBoxChunks + (q % kBoxChunks ^ r % 8);
      reinterpret_cast<uint4*>(to)[place] = load(row + r, col + q * kChunk);
    }
  };
  // The words of the last row could reach beyond the matrix.
  if (row + kRows < rows && col + kCols <= cols) {
    copy([&](int r, int q) { return load_chunk(matrix, static_cast<size_t>(r) * cols + q); });
  } else {
    copy([&](int r, int q) { return load_chunk_at_edge(matrix, rows, cols, r, q); });
  }
}

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

// Blocks of kBlockSize threads, one on each multiprocessor, take every gridDim.x-th tile of C. The
// first warpgroup fills stages, the others compute kGroupRows rows each.
template <bool kBulk>
__global__ void __launch_bounds__(kBlockSize, 1)
    tensor_kernel(int m, int n, int k, int tiles, const __nv_bfloat16* a, const __nv_bfloat16* b,
                  float* c, const __grid_constant__ CUtensorMap a_map,
                  const __grid_constant__ CUtensorMap b_map) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory + (1024 - address_of(memory) % 1024) % 1024);
  const int steps = (k + kDepth - 1) / kDepth;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.full[stage], kBulk ? 1 : kWarpgroup);
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
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kProducerRegisters<kBulk>));
    if (kBulk && threadIdx.x != 0) return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const Place place = place_of(tile, m, n);
      for (int step = 0; step < steps; ++step, next_stage()) {
        Stage& to = shared.stages[stage];
        wait(&shared.empty[stage], odd ^ 1);
        if (kBulk) {
          arrive_and_expect(&shared.full[stage], sizeof(Stage));
          copy_box(&a_map, place.row, step * kDepth, to.a, &shared.full[stage]);
          for (int box = 0; box < kTileCols / kBoxCols; ++box) {
            copy_box(&b_map, step * kDepth, place.col + box * kBoxCols, to.b[box],
                     &shared.full[stage]);
          }
        } else {
          copy_rows<kTileRows, kDepth>(a, m, k, place.row, step * kDepth, to.a[0]);
          copy_rows<kDepth, kTileCols>(b, k, n, step * kDepth, place.col, to.b[0][0]);
          // wgmma sees what was written; then the consumers may begin.
          asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
          arrive(&shared.full[stage]);
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kConsumerRegisters<kBulk>));
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
        store_pair<kBulk>(sums[i], sums[i + 1], c, m, n, c_row, c_col);
        store_pair<kBulk>(sums[i + 2], sums[i + 3], c, m, n, c_row + 8, c_col);
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

template <bool kBulk>
void launch(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c,
            const CUtensorMap& a_map, const CUtensorMap& b_map) {
  int device;
  int multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int tiles = ceil_div(m, kTileRows) * ceil_div(n, kTileCols);
  const int blocks = tiles < multiprocessors ? tiles : multiprocessors;
  const auto kernel = tensor_kernel<kBulk>;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  kernel<<<blocks, kBlockSize, kSharedBytes>>>(m, n, k, tiles, a, b, c, a_map, b_map);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  if (k > 0 && k % kChunk == 0 && n % kChunk == 0) {
    launch<true>(m, n, k, a, b, c, tensor_map(a, m, k, kTileRows), tensor_map(b, k, n, kDepth));
  } else {
    launch<false>(m, n, k, a, b, c, {}, {});
  }
}
