// Rung 3: one pass over the input.
//
//   make check-scan PART=find_repeats WITH=ladder/find_repeats/03_single_pass.cu
//
// Idea: with decoupled look-back a tile learns its place while its votes are still in registers, so
// nothing is read twice. The look-back is that of exclusive_scan's rung 8, word for word.
// Expect: one read of the input and one write of the repeats. A vote costs an instruction or two
// per element whatever it finds, and now there are few bytes per instruction.
#include "../exclusive_scan/08_decoupled_lookback.cu"

namespace {

constexpr int kVoteBlock = 256;
constexpr int kVoteWarps = kVoteBlock / kWarpSize;
// Elements per lane, kWarpSize apart, so that each step of a warp is one stretch of memory.
constexpr int kSteps = 16;
constexpr int kVoteTile = kVoteBlock * kSteps;

// A block per tile; which one, `ticket` says.
__global__ void find_kernel(const int* input, size_t n, int* output, Word* words,
                            unsigned* ticket) {
  __shared__ unsigned shared_tile;
  __shared__ unsigned shared_before;
  __shared__ unsigned counts[kVoteWarps];
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1);
  // All threads need the tile that thread 0 drew.
  __syncthreads();
  const unsigned tile = shared_tile;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const size_t first = tile * static_cast<size_t>(kVoteTile) + warp * kWarpSize * kSteps;

  unsigned repeats[kSteps];  // bit l: is element l of the step a repeat?
  unsigned count = 0;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const size_t i = first + step * kWarpSize + lane;
    repeats[step] = __ballot_sync(kAllLanes, i + 1 < n && input[i] == input[i + 1]);
    count += __popc(repeats[step]);
  }
  if (lane == 0) counts[warp] = count;

  // Each warp's place follows from the counts of those before it, and from the tiles before.
  __syncthreads();
  unsigned place = 0;  // within the tile
  unsigned all = 0;
  for (int other = 0; other < kVoteWarps; ++other) {
    if (other < warp) place += counts[other];
    all += counts[other];
  }
  if (warp == 0) {
    const unsigned before = look_back(words, tile, all);
    if (lane == 0) shared_before = before;
  }
  // All warps need what warp 0 found.
  __syncthreads();
  place += shared_before;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const unsigned below = repeats[step] & ((1u << lane) - 1);
    if (repeats[step] >> lane & 1) {
      output[place + __popc(below)] = static_cast<int>(first + step * kWarpSize + lane);
    }
    place += __popc(repeats[step]);
  }
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  const int tiles = ceil_div(n, kVoteTile);
  auto* words = workspace.take<Word>(tiles);
  auto* ticket = workspace.take<unsigned>(1);
  clear_kernel<<<ceil_div(tiles, kVoteBlock), kVoteBlock>>>(words, tiles, ticket);
  CUDA_CHECK(cudaGetLastError());
  find_kernel<<<tiles, kVoteBlock>>>(input, n, output, words, ticket);
  CUDA_CHECK(cudaGetLastError());
  // The low half of the last tile's word is the sum up to the end.
  Word last = 0;
  CUDA_CHECK(cudaMemcpy(&last, words + tiles - 1, sizeof(Word), cudaMemcpyDeviceToHost));
  return static_cast<int>(static_cast<unsigned>(last));
}
