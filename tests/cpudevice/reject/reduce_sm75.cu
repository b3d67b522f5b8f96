// __reduce_add_sync needs compute capability 8.0.
// flags: -arch=sm_75
// reject: reject/reduce_sm75.cu:6
// reject: __reduce_add_sync
__global__ void kernel(int* x) {
  *x = __reduce_add_sync(0xffffffffu, *x);
}
int main() {
  kernel<<<1, 32>>>(nullptr);
}
