// The structures of host code that every pattern is put into, in place of `STEP;`. A step has a
// device array `data` and two streams, `s.first` and `s.second`, with an event, `s.event`.

// structure: straight
void run() {
  int* data = zeros();
  Streams s;
  cudaDeviceSynchronize();
  STEP;
  cudaDeviceSynchronize();
  cudaFree(data);
}

// structure: loop
void run() {
  int* data = zeros();
  Streams s;
  for (int round = 0; round < 3; ++round) {
    cudaDeviceSynchronize();
    STEP;
  }
  cudaDeviceSynchronize();
  cudaFree(data);
}

// structure: branch
void run() {
  int* data = zeros();
  Streams s;
  int devices = 0;
  cudaGetDeviceCount(&devices);
  cudaDeviceSynchronize();
  if (devices > 0) {
    STEP;
  } else {
    cudaMemset(data, 1, kBytes);
  }
  cudaDeviceSynchronize();
  cudaFree(data);
}

// structure: call
__attribute__((noinline)) void step(int* data, const Streams& s) {
  STEP;
}
void run() {
  int* data = zeros();
  Streams s;
  cudaDeviceSynchronize();
  step(data, s);
  cudaDeviceSynchronize();
  cudaFree(data);
}

// structure: object
struct Work {
  int* data = zeros();
  Streams s;
  ~Work() {
    cudaDeviceSynchronize();
    cudaFree(data);
  }
  void step() { STEP; }
};
void run() {
  Work work;
  cudaDeviceSynchronize();
  work.step();
}

// structure: host_thread
void run() {
  int* data = zeros();
  Streams s;
  cudaDeviceSynchronize();
  std::thread([&] { STEP; }).join();
  cudaDeviceSynchronize();
  cudaFree(data);
}

// structure: work_list
void run() {
  int* data = zeros();
  Streams s;
  std::vector<int> open{2, 1};
  while (!open.empty()) {
    const int item = open.back();
    open.pop_back();
    if (item == 2) open.push_back(0);
    cudaDeviceSynchronize();
    STEP;
  }
  cudaDeviceSynchronize();
  cudaFree(data);
}
