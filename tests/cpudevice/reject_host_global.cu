// A kernel cannot use a global variable of the host.
// needs: clang
// reject: tests/cpudevice/reject_host_global.cu:6:
int counter;
__global__ void k(int* out) {
  *out = counter;
}
int main() {
  k<<<1, 1>>>(nullptr);
}
