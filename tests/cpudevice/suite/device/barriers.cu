// Barriers that some threads miss, and masks that name the wrong lanes.

// A barrier stands in a branch for some threads only.
// finding: barrier @a
void in_a_branch() {
  const int some = kThreads;  // right
  const int some = 40;        // wrong
  if (t < some) {
    value += 1;
    __syncthreads();  // @a
  }
}

// The threads of a warp go round a loop with a barrier more often than the other warp's.
// finding: barrier @a
void uneven_loop() {
  const int rounds = 3;               // right
  const int rounds = t < 32 ? 3 : 2;  // wrong
  for (int round = 0; round < rounds; ++round) {
    value += round;
    __syncthreads();  // @a
  }
}

// Some threads leave a loop with a barrier early. (In a work list these threads then use an index
// that other threads have yet to write, which is a further finding.)
// finding: barrier @a
// not in: work_list
void early_break() {
  const int first = 0;   // right
  const int first = 16;  // wrong
  for (int round = 0; round < 4; ++round) {
    if (round == 2 && t >= first) break;
    value += round;
    __syncthreads();  // @a
  }
}

// Half of a block waits at a barrier, the other half at another barrier.
// finding: barrier @b @a
void two_barriers() {
  const int some = kThreads;  // right
  const int some = 32;        // wrong
  if (t < some) {
    value += 1;
    __syncthreads();  // @a
  } else {
    value += 2;
    __syncthreads();  // @b
  }
}

// A vote of the block in a branch.
// finding: barrier @a
void vote_in_a_branch() {
  if (t < kThreads) value += __syncthreads_count(value > 3);  // right
  if (t < 48) value += __syncthreads_count(value > 3);        // wrong @a
}

// A condition that depends on the data leads to the barrier.
// finding: barrier @a
void on_data() {
  const bool goes = value >= 0;     // right
  const bool goes = value % 3 > 0;  // wrong
  if (goes) {
    value += 1;
    __syncthreads();  // @a
  }
}
