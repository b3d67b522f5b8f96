// Instructions of compute capability 9.0 are refused where a program does not keep them for it.
// flags: --no-check
// reject: tests/cpudevice/reject/hopper.cu:@a: error: the CPU device has no 'wgmma.commit_group.sync.aligned', an instruction of compute capability 9.0: keep it behind #ifdef __CUDA_ARCH_FEAT_SM90_ALL
__global__ void k() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");  // @a
}
int main() {
  k<<<1, 1>>>();
}
