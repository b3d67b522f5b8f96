// The forms without _sync are gone since compute capability 7.0.
// reject: reject/legacy_shuffle.cu:5
// reject: __shfl_down
__global__ void kernel(int* x) {
  *x = __shfl_down(*x, 1);
}
int main() {
  kernel<<<1, 32>>>(nullptr);
}
