// Streams, events, and what the host does meanwhile.

// Two kernels in two streams.
// finding: race @add @add
void two_kernels() {
  add<<<1, kItems, 0, s.first>>>(data);
  cudaStreamSynchronize(s.first);  // right
  add<<<1, kItems, 0, s.second>>>(data);
}

// A wait for an event recorded too early.
// finding: race @add @fill
void early_event() {
  cudaEventRecord(s.event, s.first);  // wrong
  fill<<<1, kItems, 0, s.first>>>(data);
  cudaEventRecord(s.event, s.first);  // right
  cudaStreamWaitEvent(s.second, s.event);
  add<<<1, kItems, 0, s.second>>>(data);
}

// The wrong stream waits.
// finding: race @add @fill
void wrong_stream_waits() {
  fill<<<1, kItems, 0, s.first>>>(data);
  cudaEventRecord(s.event, s.first);
  cudaStreamWaitEvent(s.second, s.event);  // right
  cudaStreamWaitEvent(s.first, s.event);   // wrong
  add<<<1, kItems, 0, s.second>>>(data);
}

// A stream that does not block, and the default stream.
// finding: race @add @fill
void default_stream() {
  fill<<<1, kItems, 0, s.first>>>(data);
  cudaStreamSynchronize(s.first);  // right
  add<<<1, kItems>>>(data);
}

// A copy in a stream, of data that a kernel in the other stream writes.
// finding: race @a @fill
void copy_too_early() {
  int* host;
  cudaMallocHost(&host, kBytes);
  fill<<<1, kItems, 0, s.first>>>(data);
  cudaStreamSynchronize(s.first);                                         // right
  cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, s.second);  // @a
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}

// A kernel in a stream reads data that a copy in the other stream brings.
// finding: race @sum @a
void read_too_early() {
  int *host, *result = zeros();
  cudaMallocHost(&host, kBytes);
  memset(host, 0, kBytes);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, s.first);  // @a
  cudaStreamSynchronize(s.first);                                        // right
  sum<<<1, kItems, 0, s.second>>>(data, result);
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  cudaFree(result);
}

// A fill in a stream, of data that a kernel in the other stream reads.
// finding: race @a @sum
void fill_too_early() {
  int* result = zeros();
  cudaDeviceSynchronize();
  sum<<<1, kItems, 0, s.first>>>(data, result);
  cudaStreamSynchronize(s.first);              // right
  cudaMemsetAsync(data, 0, kBytes, s.second);  // @a
  cudaDeviceSynchronize();
  cudaFree(result);
}

// The host reads what an asynchronous copy has yet to bring.
// finding: race @b @a
void host_reads_copy() {
  int* host;
  cudaMallocHost(&host, kBytes);
  cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, s.first);  // @a
  cudaStreamSynchronize(s.first);                                        // right
  volatile int value = host[5];                                          // @b
  cudaStreamSynchronize(s.first);
  cudaFreeHost(host);
  (void)value;
}

// The host overwrites what an asynchronous copy still reads.
// finding: race @b @a
void host_overwrites_copy() {
  int* host;
  cudaMallocHost(&host, kBytes);
  memset(host, 0, kBytes);
  cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, s.first);  // @a
  cudaStreamSynchronize(s.first);                                        // right
  host[7] = 1;                                                           // @b
  cudaStreamSynchronize(s.first);
  cudaFreeHost(host);
}

// The host reads managed memory while a kernel writes to it.
// finding: race @a @fill
void managed() {
  int* both;
  cudaMallocManaged(&both, kBytes);
  fill<<<1, kItems>>>(both);
  cudaDeviceSynchronize();       // right
  volatile int value = both[3];  // @a
  cudaDeviceSynchronize();
  cudaFree(both);
  (void)value;
}

// The host waits for the other stream.
// finding: race @a @fill
void wrong_wait() {
  int* both;
  cudaMallocManaged(&both, kBytes);
  fill<<<1, kItems, 0, s.first>>>(both);
  cudaStreamSynchronize(s.first);   // right
  cudaStreamSynchronize(s.second);  // wrong
  volatile int value = both[3];     // @a
  cudaDeviceSynchronize();
  cudaFree(both);
  (void)value;
}

// The time of an event for which the host has not waited.
// finding: race @a
void time_of_an_event() {
  cudaEvent_t end;
  cudaEventCreate(&end);
  cudaEventRecord(s.event, s.first);
  fill<<<1, kItems, 0, s.first>>>(data);
  cudaEventRecord(end, s.first);
  cudaEventSynchronize(end);  // right
  float time;
  cudaEventElapsedTime(&time, s.event, end);  // @a
  cudaEventSynchronize(end);
  cudaEventDestroy(end);
}
