// Copies and fills that the runtime refuses, and memory that is freed in a stream.

// A copy to the device is longer than the allocation.
// finding: bad_access @a
void too_long() {
  int numbers[kItems + 1] = {};
  cudaMemcpy(data, numbers, kBytes, cudaMemcpyHostToDevice);      // right
  cudaMemcpy(data, numbers, kBytes + 4, cudaMemcpyHostToDevice);  // wrong @a
}

// A copy starts within an allocation and ends after the allocation.
// finding: bad_access @a
void after_the_end() {
  int numbers[kItems] = {};
  cudaMemcpy(numbers, data, kBytes, cudaMemcpyDeviceToHost);      // right
  cudaMemcpy(numbers, data + 1, kBytes, cudaMemcpyDeviceToHost);  // wrong @a
}

// The direction says that the host's array is the device's.
// finding: host_device @a
void wrong_direction() {
  int numbers[kItems] = {};
  cudaMemcpy(data, numbers, kBytes, cudaMemcpyHostToDevice);  // right
  cudaMemcpy(data, numbers, kBytes, cudaMemcpyDeviceToHost);  // wrong @a
}

// The two pointers are exchanged.
// finding: host_device @a
void exchanged() {
  int numbers[kItems] = {};
  cudaMemcpy(numbers, data, kBytes, cudaMemcpyDeviceToHost);  // right
  cudaMemcpy(data, numbers, kBytes, cudaMemcpyDeviceToHost);  // wrong @a
}

// A fill of the host's memory.
// finding: host_device @a
void fill_of_the_host() {
  std::vector<int> numbers(kItems);
  cudaMemset(data, 0, kBytes);            // right
  cudaMemset(numbers.data(), 0, kBytes);  // wrong @a
}

// A copy from freed memory.
// finding: bad_access @a
void freed() {
  int* other = zeros();
  cudaMemcpy(data, other, kBytes, cudaMemcpyDeviceToDevice);  // right
  cudaFree(other);
  cudaMemcpy(data, other, kBytes, cudaMemcpyDeviceToDevice);  // wrong @a
}

// A copy from the null pointer.
// finding: bad_access @a
void null() {
  const int* nothing = data;     // right
  const int* nothing = nullptr;  // wrong
  int numbers[kItems] = {};
  cudaMemcpy(numbers, nothing, kBytes, cudaMemcpyDeviceToHost);  // @a
}

// The rows of a copy are longer than the array's rows.
// finding: bad_access @a
void long_rows() {
  int numbers[kItems] = {};
  const size_t row = 16 * sizeof(int);
  cudaMemcpy2D(data, row, numbers, row, row, kItems / 16, cudaMemcpyHostToDevice);      // right
  cudaMemcpy2D(data, row + 8, numbers, row, row, kItems / 16, cudaMemcpyHostToDevice);  // wrong @a
}

// Memory is freed in a stream, while a kernel in the other stream uses the memory.
// finding: race @a @add
void freed_in_stream() {
  int* other;
  cudaMallocAsync(&other, kBytes, s.first);
  cudaMemsetAsync(other, 0, kBytes, s.first);
  add<<<1, kItems, 0, s.first>>>(other);
  cudaFreeAsync(other, s.first);   // right
  cudaFreeAsync(other, s.second);  // wrong @a
}

// Memory is freed in a stream that waits for an event, recorded too early.
// finding: race @a @add
void freed_after_event() {
  int* other;
  cudaMallocAsync(&other, kBytes, s.first);
  cudaMemsetAsync(other, 0, kBytes, s.first);
  cudaEventRecord(s.event, s.first);  // wrong
  add<<<1, kItems, 0, s.first>>>(other);
  cudaEventRecord(s.event, s.first);  // right
  cudaStreamWaitEvent(s.second, s.event);
  cudaFreeAsync(other, s.second);  // @a
}
