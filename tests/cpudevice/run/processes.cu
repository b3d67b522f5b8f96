// Memory and events shared by two processes: each sees what the other wrote
// expect: child done
// expect: done
// stderr: a process cannot open a handle of its own memory
// stderr: cudaFree cannot free
// stderr: has freed the memory, or has ended
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check.h"

constexpr int kCount = 1000;

__global__ void add_kernel(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

struct Message {
  cudaIpcMemHandle_t first, second, freed, later;
  cudaIpcEventHandle_t event;
};

void child(int in, int out) {
  Message message;
  CHECK(read(in, &message, sizeof message) == sizeof message);
  int *first, *again, *second;
  CHECK_OK(cudaIpcOpenMemHandle((void**)&first, message.first, cudaIpcMemLazyEnablePeerAccess));
  CHECK_OK(cudaIpcOpenMemHandle((void**)&again, message.first, cudaIpcMemLazyEnablePeerAccess));
  CHECK_OK(cudaIpcOpenMemHandle((void**)&second, message.second, cudaIpcMemLazyEnablePeerAccess));
  CHECK(first == again);
  CHECK_ERROR(cudaErrorMapBufferObjectFailed,
              cudaIpcOpenMemHandle((void**)&again, message.freed, 0));
  cudaPointerAttributes attributes;
  CHECK_OK(cudaPointerGetAttributes(&attributes, first));
  CHECK(attributes.type == cudaMemoryTypeDevice);
  cudaEvent_t event;
  CHECK_OK(cudaIpcOpenEventHandle(&event, message.event));
  CHECK_OK(cudaStreamWaitEvent(0, event, 0));
  add_kernel<<<4, 256>>>(first, kCount, 5);
  CHECK_OK(cudaMemset(second, 0, 4));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaIpcCloseMemHandle(first));
  int back[kCount];
  CHECK_OK(cudaMemcpy(back, first, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 12 && back[kCount - 1] == 12);
  CHECK_OK(cudaIpcCloseMemHandle(first));  // opened twice, closed twice
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(second));
  CHECK_OK(cudaIpcCloseMemHandle(second));
  CHECK_OK(cudaEventDestroy(event));
  printf("child done\n");
  fflush(stdout);
  CHECK(write(out, "x", 1) == 1);
}

int main(int count, char** arguments) {
  if (count == 3) {
    child(atoi(arguments[1]), atoi(arguments[2]));
    return 0;
  }
  // The child begins, by exec, before the parent uses the device, as CUDA demands.
  int to_child[2], from_child[2];
  CHECK(pipe(to_child) == 0 && pipe(from_child) == 0);
  const pid_t process = fork();
  if (process == 0) {
    char in[16], out[16];
    snprintf(in, sizeof in, "%d", to_child[0]);
    snprintf(out, sizeof out, "%d", from_child[1]);
    execl("/proc/self/exe", arguments[0], in, out, static_cast<char*>(nullptr));
    _exit(1);
  }
  close(to_child[0]);
  close(from_child[1]);
  int *first, *second, *freed, *later, *other, sevens[kCount], back[kCount];
  for (int& x : sevens)
    x = 7;
  CHECK_OK(cudaMalloc(&first, sizeof sevens));
  CHECK_OK(cudaMalloc(&second, 100 * sizeof(int)));
  CHECK_OK(cudaMalloc(&freed, sizeof sevens));
  CHECK_OK(cudaMemcpy(first, sevens, sizeof sevens, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(second, sevens, 100 * sizeof(int), cudaMemcpyHostToDevice));
  Message message;
  CHECK_OK(cudaIpcGetMemHandle(&message.first, first));
  CHECK_OK(cudaIpcGetMemHandle(&message.second, second));
  CHECK_OK(cudaIpcGetMemHandle(&message.freed, freed));
  CHECK_OK(cudaFree(freed));
  // The pages of new memory do not count as the freed memory.
  CHECK_OK(cudaMalloc(&later, sizeof sevens));
  CHECK_OK(cudaIpcGetMemHandle(&message.later, later));
  CHECK_ERROR(cudaErrorInvalidValue, cudaIpcGetMemHandle(&message.freed, second + 1));
  CHECK_ERROR(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle((void**)&other, message.first, 0));
  cudaEvent_t event;
  CHECK_OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  CHECK_OK(cudaIpcGetEventHandle(&message.event, event));
  CHECK_OK(cudaEventRecord(event));
  CHECK(write(to_child[1], &message, sizeof message) == sizeof message);
  char byte;
  int status;
  CHECK(read(from_child[0], &byte, 1) == 1 && waitpid(process, &status, 0) == process);
  CHECK_OK(cudaMemcpy(back, first, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 12 && back[kCount - 1] == 12);
  CHECK_OK(cudaMemcpy(back, second, 100 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0 && back[1] == 7 && back[99] == 7);
  CHECK_OK(cudaFree(first));
  CHECK_OK(cudaFree(second));
  CHECK_OK(cudaFree(later));
  CHECK_OK(cudaEventDestroy(event));
  printf("done\n");
}
