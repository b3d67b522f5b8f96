// A kernel waits for the host, which waits for the kernel: the time limit ends it, at the latest
// when the program ends. Before that the launch has returned, since the host might have done
// something.
// environment: CUDACPU_TIMEOUT=0.6
// expect: launch no error
// expect: synchronize the launch timed out and was terminated
// expect: second launch no error
// stderr: tests/cpudevice/fault/waits_for_host.cu:@a: stopped after 0.6 seconds (CUDACPU_TIMEOUT): all its threads waited, perhaps for the host, which waits for the kernel
// stderr: tests/cpudevice/fault/waits_for_host.cu:@b: stopped after 0.6 seconds
#include <cstdio>

__global__ void waits(const volatile int* flag) {
  while (*flag == 0) {  // @a
  }
}
__global__ void waits_too(const volatile int* flag) {
  while (*flag == 0) {  // @b
  }
}

int main() {
  int* flag;
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  waits<<<1, 32>>>(flag);
  printf("launch %s\n", cudaGetErrorString(cudaGetLastError()));
  printf("synchronize %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  waits_too<<<1, 1>>>(flag);
  printf("second launch %s\n", cudaGetErrorString(cudaGetLastError()));
}
