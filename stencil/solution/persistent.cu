// The fastest persistent threads we know: a thread per item, and persistent warps for long
// items.
//
//   make check-stencil PART=persistent WITH=solution
//
// Plain launches are the fastest for items of equal length, and hold up a warp where an item is
// much longer than the other 31. So each warp votes first. If all items are short, or many items
// are long, the threads do an item each. A few long items are set aside, in batches of 32.
//
// No warp waits for a batch to fill: the warp that sets aside the first item of a batch owns the
// batch and begins at once. The owner works in slices, and before each slice the lanes without an
// item look for an arrival. In `tail` an arrival takes a slice. When the present items are done,
// the owner closes the batch, and the next item begins a new batch.
//
// On an H200 even work takes 45.6 us, 45.0 with plain launches; heavy tails 83 us instead of 385.
// A warp whose items are all short must not pay for the others: the price is a vote. The
// steps save instructions for the loop, which are what binds even work.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 512;
constexpr unsigned kFullWarp = 0xffffffff;
constexpr int kLong = 256;    // rounds; what is shorter is not worth being set aside
constexpr int kMostLong = 8;  // of a warp with more, all items are done by their own lanes
constexpr int kSlice = 256;   // rounds
constexpr int kStep = 16;     // rounds that are unrolled
constexpr unsigned kNone = 0xffffffff;   // an item that has not come
constexpr unsigned kNever = 0xfffffffe;  // an item that will not come: no room was left
constexpr int kBatch = 32;
constexpr int kItemsPerPlace = 128;

// The items that are set aside. Place i % 32 of batch i / 32 is for ticket i.
struct Aside {
  unsigned* last;    // the last ticket that was taken, or kNone
  unsigned* items;   // by ticket; kNone at the beginning
  unsigned tickets;  // there is room for so many, whole batches
};

// work(value, rounds) in steps that the compiler unrolls.
__device__ unsigned work_in_steps(unsigned value, int rounds) {
  for (; rounds >= kStep; rounds -= kStep)
    value = work(value, kStep);
  return work(value, rounds);
}

// Sets the items of the lanes in `lanes` aside, at most kBatch of them. Returns whether room was
// left, and in `batch` the batch that the warp now owns, or kNone. All lanes of the warp take part.
__device__ bool set_aside(unsigned item, unsigned lanes, const Aside& aside, unsigned* batch) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned count = __popc(lanes);
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(aside.last, count) + 1;
  first = __shfl_sync(kFullWarp, first, 0);
  *batch = kNone;
  if (first + count > aside.tickets) {
    // The owner of the last batch waits for all of its items.
    if (lane < count && first + lane < aside.tickets)
      atomicExch(&aside.items[first + lane], kNever);
    return false;
  }
  if (lanes >> lane & 1) {
    const unsigned ticket = first + __popc(lanes & ((1u << lane) - 1));
    // The item's value has been read before the owner may write it.
    __threadfence();
    atomicExch(&aside.items[ticket], item);
  }
  const unsigned last_batch = (first + count - 1) / kBatch;
  if (last_batch * kBatch >= first) *batch = last_batch;
  return true;
}

// Lets no more items into the batch. Returns how many will come.
__device__ unsigned close(unsigned batch, const Aside& aside) {
  unsigned next = atomicAdd(aside.last, 0) + 1;
  while (next / kBatch == batch) {
    const unsigned seen = atomicCAS(aside.last, next - 1, (batch + 1) * kBatch - 1) + 1;
    if (seen == next) return next % kBatch;
    next = seen;
  }
  return kBatch;
}

// Does all items of a batch, an item per lane, as items come. All lanes of the warp take part.
__device__ __noinline__ void do_batch(unsigned batch, const int* rounds, unsigned* values,
                                      Aside aside) {
  const unsigned lane = threadIdx.x % 32;
  unsigned item = kNone;
  unsigned value = 0;
  int left = 0;
  unsigned places = kNone;  // unknown as long as the batch is open
  for (;;) {
    if (item == kNone && lane < places) {
      item = atomicAdd(&aside.items[batch * kBatch + lane], 0);
      if (item < kNever) {
        __threadfence();
        left = rounds[item];
        value = values[item];
      }
    }
    if (__any_sync(kFullWarp, left > 0)) {
      const int now = min(left, kSlice);
      value = work_in_steps(value, now);
      left -= now;
      if (now > 0 && left == 0) values[item] = value;
    } else if (places == kNone) {
      if (lane == 0) places = close(batch, aside);
      places = __shfl_sync(kFullWarp, places, 0);
    } else if (__all_sync(kFullWarp, item != kNone || lane >= places)) {
      return;
    }
  }
}

// A thread per item.
__global__ void __launch_bounds__(kBlockSize)
    work_kernel(const int* count, const int* rounds, unsigned* values, Aside aside) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned end = *count;
  const bool exists = i < end;
  int left = 0;
  unsigned value = 0;
  if (exists) {
    left = rounds[i];
    value = values[i];
  }
  if (!__any_sync(kFullWarp, left > kLong)) {
    if (exists) values[i] = work_in_steps(value, left);
    return;
  }
  unsigned batch = kNone;
  const unsigned lanes = __ballot_sync(kFullWarp, left > kLong);
  const bool aside_now = __popc(lanes) <= kMostLong && set_aside(i, lanes, aside, &batch);
  if (exists && !(aside_now && left > kLong)) values[i] = work_in_steps(value, left);
  if (batch != kNone) do_batch(batch, rounds, values, aside);
}

}  // namespace

void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace) {
  if (capacity == 0) return;
  const unsigned tickets = ceil_div(capacity, kItemsPerPlace * kBatch) * kBatch;
  unsigned* memory = workspace.take<unsigned>(1 + tickets);
  CUDA_CHECK(cudaMemsetAsync(memory, 0xff, (1 + tickets) * sizeof *memory));
  const Aside aside = {memory, memory + 1, tickets};
  work_kernel<<<ceil_div(capacity, kBlockSize), kBlockSize>>>(count, rounds, values, aside);
  CUDA_CHECK(cudaGetLastError());
}
