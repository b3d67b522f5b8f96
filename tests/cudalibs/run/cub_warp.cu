// CUB in kernels: items of warps loaded, exchanged and stored, scans and segmented sums of warps,
// what a thread does alone, and iterators
// expect: done
#include <cub/cub.cuh>
#include <cuda/functional>

#include <cstdio>

#include "../../cpudevice/run/check.h"

constexpr int kThreads = 64, kItemsPerThread = 4;

struct Wide {
  int values[5];
};

// Each logical warp moves an own part of the data, whole and in part.
template <cub::WarpLoadAlgorithm kLoad, cub::WarpStoreAlgorithm kStore, int kLanes>
__global__ void tiles(const int* in, int* out, bool striped) {
  using Load = cub::WarpLoad<int, kItemsPerThread, kLoad, kLanes>;
  using Store = cub::WarpStore<int, kItemsPerThread, kStore, kLanes>;
  constexpr int kAll = kLanes * kItemsPerThread, kValid = kAll / 2 + 1;
  __shared__ typename Load::TempStorage load_storage[kThreads / kLanes];
  __shared__ typename Store::TempStorage store_storage[kThreads / kLanes];
  const int warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  Load load(load_storage[warp]);
  Store store(store_storage[warp]);
  in += warp * kAll;
  out += warp * kAll;
  auto place = [=](int i) { return striped ? i * kLanes + lane : lane * kItemsPerThread + i; };
  int items[kItemsPerThread];
  load.Load(in, items);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == in[place(i)]);
  __syncwarp();
  load.Load(in, items, kValid, 77);
  for (int i = 0; i < kItemsPerThread; ++i) {
    CHECK(items[i] == (place(i) < kValid ? in[place(i)] : 77));
    items[i] = -place(i);
  }
  store.Store(out, items);
  __syncwarp();
  for (int i = 0; i < kItemsPerThread; ++i) {
    CHECK(out[place(i)] == -place(i));
    items[i] = place(i);
  }
  __syncwarp();
  store.Store(out, items, kValid);
  __syncwarp();
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(out[place(i)] == (place(i) < kValid ? place(i) : -place(i)));
}

__global__ void exchanges() {
  using Exchange = cub::WarpExchange<int, kItemsPerThread>;
  using Shuffle = cub::WarpExchange<short, 8, 8, cub::WARP_EXCHANGE_SHUFFLE>;
  __shared__ typename Exchange::TempStorage exchange[kThreads / 32];
  __shared__ typename Shuffle::TempStorage shuffle[kThreads / 8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int items[kItemsPerThread], ranks[kItemsPerThread];
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = lane * kItemsPerThread + i;
  Exchange(exchange[warp]).BlockedToStriped(items, items);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == i * 32 + lane);
  __syncwarp();
  Exchange(exchange[warp]).StripedToBlocked(items, items);
  for (int i = 0; i < kItemsPerThread; ++i) {
    CHECK(items[i] == lane * kItemsPerThread + i);
    ranks[i] = 32 * kItemsPerThread - 1 - items[i];
  }
  __syncwarp();
  Exchange(exchange[warp]).ScatterToStriped(items, ranks);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == 32 * kItemsPerThread - 1 - (i * 32 + lane));
  short few[8], turned[8];
  for (int i = 0; i < 8; ++i)
    few[i] = static_cast<short>(8 * (lane % 8) + i);
  Shuffle(shuffle[threadIdx.x / 8]).BlockedToStriped(few, turned);
  for (int i = 0; i < 8; ++i)
    CHECK(turned[i] == 8 * i + lane % 8);
  Shuffle(shuffle[threadIdx.x / 8]).StripedToBlocked(turned, turned);
  for (int i = 0; i < 8; ++i)
    CHECK(turned[i] == few[i]);
}

__global__ void sums() {
  using Reduce = cub::WarpReduce<int>;
  using Part = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Part::TempStorage part[4];
  __shared__ typename Scan::TempStorage scan;
  const int lane = threadIdx.x;
  // Segments of five lanes, the last of two.
  const int first = lane / 5 * 5, last = first + 4 < 31 ? first + 4 : 31;
  int sum = Reduce(reduce).HeadSegmentedSum(lane, lane % 5 == 0);
  if (lane == first) CHECK(sum == (last - first + 1) * (first + last) / 2);
  sum = Reduce(reduce).TailSegmentedSum(lane, lane % 5 == 4);
  if (lane == first) CHECK(sum == (last - first + 1) * (first + last) / 2);
  sum = Reduce(reduce).TailSegmentedReduce(lane, lane == 31, cuda::maximum<>{});
  if (lane == 0) CHECK(sum == 31);
  sum = Part(part[lane / 8]).HeadSegmentedReduce(-lane, lane % 8 == 3, cuda::minimum<>{});
  if (lane % 8 == 0) CHECK(sum == -lane - 2);
  if (lane % 8 == 3) CHECK(sum == -lane - 4);
  int inclusive, exclusive, all;
  Scan(scan).Scan(lane, inclusive, exclusive, cuda::std::plus<>{});
  CHECK(inclusive == lane * (lane + 1) / 2 && (lane == 0 || exclusive == lane * (lane - 1) / 2));
  Scan(scan).Scan(lane, inclusive, exclusive, 10, cuda::std::plus<>{});
  CHECK(inclusive == 10 + lane * (lane + 1) / 2 && exclusive == 10 + lane * (lane - 1) / 2);
  Scan(scan).InclusiveScan(lane, inclusive, 7, cuda::maximum<>{});
  CHECK(inclusive == (lane < 7 ? 7 : lane));
  Scan(scan).ExclusiveScan(lane, exclusive, cuda::maximum<>{}, all);
  CHECK((lane == 0 || exclusive == lane - 1) && all == 31);
}

__global__ void alone(const int* in, int* out) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int t = cub::RowMajorTid(8, 4, 2);
  CHECK(t == static_cast<int>(threadIdx.x + 8 * threadIdx.y + 32 * threadIdx.z));
  if (warp > 0 || threadIdx.y > 0 || threadIdx.z > 0) return;
  CHECK(cub::ThreadLoad<cub::LOAD_CS>(in + lane) == in[lane]);
  CHECK(cub::ThreadLoad<cub::LOAD_LDG>(in + lane) == in[lane]);
  CHECK(cub::ThreadLoad<cub::LOAD_VOLATILE>(in + lane) == in[lane]);
  cub::ThreadStore<cub::STORE_CG>(out + lane, lane);
  CHECK(out[lane] == lane);
  cub::ThreadStore<cub::STORE_VOLATILE>(out + lane, lane + 1);
  CHECK(out[lane] == lane + 1);
  int items[4] = {3, 1, 4, 2}, sums[4];
  CHECK(cub::ThreadReduce(items, cuda::std::plus<>{}) == 10);
  CHECK(cub::ThreadReduce(items, cuda::maximum<>{}, 9) == 9);
  CHECK(cub::internal::ThreadScanInclusive(items, sums, cuda::std::plus<>{}) == 10);
  CHECK(sums[0] == 3 && sums[1] == 4 && sums[2] == 8 && sums[3] == 10);
  CHECK(cub::internal::ThreadScanInclusive(items, sums, cuda::std::plus<>{}, 100) == 110);
  CHECK(sums[0] == 103 && sums[3] == 110);
  CHECK(cub::internal::ThreadScanExclusive(items, items, cuda::std::plus<>{}, 100) == 110);
  CHECK(items[0] == 100 && items[1] == 103 && items[3] == 108);
  CHECK(cub::WarpMask<8>(2) == 0xff0000 && cub::WarpMask<32>(0) == ~0u);

  cub::CacheModifiedInputIterator<cub::LOAD_CA, int> reads(in);
  CHECK(*reads == in[0] && reads[3] == in[3] && *(reads + 2) == in[2] && (reads + 2) - reads == 2);
  cub::CacheModifiedOutputIterator<cub::STORE_WT, int> writes(out);
  writes[lane] = 2 * lane;
  CHECK(out[lane] == 2 * lane);
  cub::ArgIndexInputIterator<const int*> indexed(in);
  CHECK((*indexed).key == 0 && indexed[5].key == 5 && indexed[5].value == in[5]);
  indexed += 2;
  indexed.normalize();
  CHECK(indexed[1].key == 1 && indexed[1].value == in[3]);
}

__global__ void shuffles() {
  const int lane = threadIdx.x;
  CHECK(cub::ShuffleUp<32>(lane, 2, 0, ~0u) == (lane < 2 ? lane : lane - 2));
  CHECK(cub::ShuffleDown<8>(1.5 * lane, 3, 7, ~0u) == 1.5 * (lane % 8 < 5 ? lane + 3 : lane));
  CHECK(cub::ShuffleDown<32>(lane, 1, 15, ~0u) == (lane < 15 ? lane + 1 : lane));
  Wide wide = {{lane, 1, 2, 3, -lane}};
  wide = cub::ShuffleIndex<16>(wide, 5, ~0u);
  CHECK(wide.values[0] == lane / 16 * 16 + 5 && wide.values[4] == -wide.values[0]);
}

template <typename T>
__device__ const char* bytes_of(const T& element) {
  return reinterpret_cast<const char*>(&element);
}
template <typename T>
__global__ void textured(cub::TexObjInputIterator<T> in, const T* data, int n) {
  for (int i = 0; i < n; ++i) {
    const T element = in[i];
    for (size_t byte = 0; byte < sizeof(T); ++byte)
      CHECK(bytes_of(element)[byte] == bytes_of(data[i])[byte]);
  }
}

template <typename T>
void check_texture(const int* data, int n) {
  cub::TexObjInputIterator<T> in;
  const T* const elements = reinterpret_cast<const T*>(data);
  CHECK_OK(in.BindTexture(elements, n * sizeof(T)));
  textured<<<1, 1>>>(in, elements, n);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(in.UnbindTexture());
}

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kThreads * kItemsPerThread * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kThreads * kItemsPerThread * sizeof(int)));
  for (int i = 0; i < kThreads * kItemsPerThread; ++i)
    in[i] = 1000 * i;
  using namespace cub;
  tiles<WARP_LOAD_DIRECT, WARP_STORE_DIRECT, 32><<<1, kThreads>>>(in, out, false);
  tiles<WARP_LOAD_STRIPED, WARP_STORE_STRIPED, 16><<<1, kThreads>>>(in, out, true);
  tiles<WARP_LOAD_VECTORIZE, WARP_STORE_VECTORIZE, 32><<<1, kThreads>>>(in, out, false);
  tiles<WARP_LOAD_TRANSPOSE, WARP_STORE_TRANSPOSE, 32><<<1, kThreads>>>(in, out, false);
  tiles<WARP_LOAD_TRANSPOSE, WARP_STORE_TRANSPOSE, 8><<<1, kThreads>>>(in, out, false);
  exchanges<<<1, kThreads>>>();
  sums<<<1, 32>>>();
  alone<<<1, dim3(8, 4, 2)>>>(in, out);
  shuffles<<<1, 32>>>();
  CHECK_OK(cudaDeviceSynchronize());
  check_texture<int>(in, 9);
  check_texture<Wide>(in, 9);
  check_texture<double2>(in, 9);
  check_texture<char>(in, 9);
  CHECK_OK(cudaFree(in));
  CHECK_OK(cudaFree(out));
  puts("done");
}
