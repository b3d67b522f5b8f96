// Lifetimes of memory, and memory of the wrong side.

// A kernel uses memory that was freed. (After that launch has failed there is nothing to repeat.)
// finding: bad_access @add
// not in: loop work_list
void use_after_free() {
  int* other = zeros();
  add<<<1, kItems>>>(other);  // right
  cudaFree(other);
  add<<<1, kItems>>>(other);  // wrong
}

// Memory is freed twice.
// finding: double_free @a
void freed_twice() {
  int* other = zeros();
  add<<<1, kItems>>>(other);
  cudaFree(other);
  cudaFree(other);  // wrong @a
}

// An address within an allocation is freed.
// finding: double_free @a
void inner_address() {
  int* other = zeros();
  cudaFree(other + 1);  // wrong @a
  cudaFree(other);
}

// Host memory is given to cudaFree.
// finding: double_free @a
void host_memory_freed() {
  int* other = static_cast<int*>(malloc(kBytes));
  cudaFree(other);  // wrong @a
  free(other);
}

// Memory is never freed.
// finding: leak @a
void leak() {
  int* other;
  cudaMalloc(&other, kBytes);  // @a
  fill<<<1, kItems>>>(other);
  cudaFree(other);  // right
}

// A kernel does not free what it allocates.
// finding: leak @leaky
void kernel_leak() {
  leaky<<<1, 1>>>();  // wrong
  add<<<1, kItems>>>(data);
}

// A kernel gets a pointer to host memory.
// finding: host_device @add
void host_pointer() {
  std::vector<int> numbers(kItems);
  add<<<1, kItems>>>(data);            // right
  add<<<1, kItems>>>(numbers.data());  // wrong
}

// The host reads device memory.
// finding: host_device @a
void device_pointer() {
  int value = 0;
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);  // right
  value = data[0];                                                // wrong @a
  if (value == 12345) abort();
}

// The host writes to device memory.
// finding: host_device @a
void device_memory_written() {
  const int value = 3;
  cudaMemcpy(data, &value, sizeof(int), cudaMemcpyHostToDevice);  // right
  data[0] = value;                                                // wrong @a
}

// The host uses a __device__ variable.
// finding: host_device @a
void device_variable() {
  const int value = 3;
  cudaMemcpyToSymbol(total, &value, sizeof(int));  // right
  volatile int* address = &total;                  // wrong
  *address = value;                                // wrong @a
}

// A kernel has more threads than the array has elements.
// finding: bad_access @fill
void too_many_threads() {
  fill<<<1, kItems>>>(data);      // right
  fill<<<1, kItems + 1>>>(data);  // wrong
}

// The size of an allocation is in elements rather than in bytes.
// finding: bad_access @fill
void size_in_elements() {
  int* other;
  cudaMalloc(&other, kBytes);  // right
  cudaMalloc(&other, kItems);  // wrong
  fill<<<1, kItems>>>(other);
  cudaFree(other);
}

// An array is used before anything is copied to it.
// finding: uninitialised @add
void not_copied() {
  int numbers[kItems] = {1}, *other;
  cudaMalloc(&other, kBytes);
  cudaMemcpy(other, numbers, kBytes, cudaMemcpyHostToDevice);      // right
  cudaMemcpy(other, numbers, kBytes - 4, cudaMemcpyHostToDevice);  // wrong
  add<<<1, kItems>>>(other);
  cudaFree(other);
}

// A fill counts elements where it should count bytes.
// finding: uninitialised @add
void fill_of_a_part() {
  int* other;
  cudaMalloc(&other, kBytes);
  cudaMemset(other, 0, kBytes);  // right
  cudaMemset(other, 0, kItems);  // wrong
  add<<<1, kItems>>>(other);
  cudaFree(other);
}
