// Warp functions and barriers of a warp whose mask names the wrong lanes.

// Lanes vote in a branch, with a mask that names all.
// finding: mask @a
// or: barrier @a
void ballot_in_a_branch() {
  if (lane < 8) value += __popc(__ballot_sync(0xff, value));  // right
  if (lane < 8) value += __popc(__ballot_sync(kAll, value));  // wrong @a
}

// Lanes shuffle in a branch, with a mask that names all.
// finding: mask @a
// or: barrier @a
// not in: branch call
void shuffle_in_a_branch() {
  if (lane < 16) {
    value += __shfl_down_sync(0xffff, value, 8, 16);  // right
    value += __shfl_down_sync(kAll, value, 8, 16);    // wrong @a
  }
}

// The mask leaves out a calling lane.
// finding: mask @a
// or: barrier @a
void without_itself() {
  value += __any_sync(kAll, lane == 3);        // right
  value += __any_sync(0x7fffffff, lane == 3);  // wrong @a
}

// Two branches call two functions with the same mask.
// finding: mask @a @b
void two_functions() {
  const unsigned low = 0xffff, high = 0xffff0000;  // right
  const unsigned low = kAll, high = kAll;          // wrong
  if (lane < 16) {
    value += __any_sync(low, value > 2);  // @b
  } else {
    value += __popc(__ballot_sync(high, value > 2));  // @a
  }
}

// A sum over a warp that some lanes miss.
// finding: mask @a
// or: barrier @a
// not in: call
void sum_in_a_branch() {
  const int some = 32;  // right
  const int some = 24;  // wrong
  if (lane < some) {
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(kAll, value, distance);  // @a
  }
}

// A reduction of the warp names lanes that do not call it.
// finding: mask @a
// or: barrier @a
void reduction_of_some() {
  const unsigned mask = 0x3ff;                            // right
  const unsigned mask = 0xfff;                            // wrong
  if (lane < 10) value = __reduce_add_sync(mask, value);  // @a
}

// A mask for whole warps in a loop that the lanes leave one after the other.
// finding: mask @a
// or: barrier @a
void lanes_leave_a_loop() {
  for (int round = 0; round < 40; ++round) {
    const unsigned mask = __ballot_sync(kAll, round <= lane);  // right
    if (round > lane) continue;                                // right
    if (round > lane) break;                                   // wrong
    value += __popc(__ballot_sync(mask, value > round));       // right
    value += __popc(__ballot_sync(kAll, value > round));       // wrong @a
  }
}

// The mask of a warp's barrier parts lanes that exchange values.
// finding: race @b @a
void narrow_barrier() {
  __shared__ int tile[kThreads];
  tile[t] = value;                              // @a
  __syncwarp();                                 // right
  __syncwarp(lane < 16 ? 0xffff : 0xffff0000);  // wrong
  value = tile[t ^ 16];                         // @b
}

// A tile of a cooperative group is smaller than what is exchanged.
// finding: race @b @a
void small_tile() {
  __shared__ int tile[kThreads];
  tile[t] = value;                                                                          // @a
  cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()).sync();  // right
  cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block()).sync();   // wrong
  value = tile[t ^ 8];                                                                      // @b
}
