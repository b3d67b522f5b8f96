// The functions that take a kernel: launches by pointer, attributes, occupancy.
//
// The functions are templates, because calling a kernel and finding its KernelInfo takes the
// kernel's type; the translator drops the casts to void* that programs write around the kernel's
// name. If a program keeps the pointer for later, kernel_pointer() records the pointer's kernel.
// The answer to any other pointer is cudaErrorInvalidDeviceFunction.
#pragma once

#include "../cuda_runtime_api.h"
#include "lockstep.h"

#if CUDACPU_CHECKING

// Depending on its version, Clang turns k<<<...>>>(...) into calls of these functions, which are
// never executed.
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                         void* stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                              cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream);
}

namespace cudacpu {
template <typename... Parameters>
KernelHandle handle_of(void (*)(Parameters...)) {
  return {};
}
}  // namespace cudacpu

#endif

namespace cudacpu {

// In src/api. The functions return cudaErrorInvalidDeviceFunction if `info` is null.
cudaError_t launch_kernel(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                          void** arguments, const char* function);
cudaError_t launch_kernel(const KernelHandle& kernel, const cudaLaunchConfig_t* configuration,
                          void** arguments);
cudaError_t get_attributes(cudaFuncAttributes* attributes, KernelInfo* info);
cudaError_t set_attribute(KernelInfo* info, cudaFuncAttribute attribute, int value);
cudaError_t get_name(const char** name, KernelInfo* info);
cudaError_t accept_kernel(KernelInfo* info, const char* function);
cudaError_t active_blocks(int* blocks, KernelInfo* info, int block_size,
                          size_t dynamic_shared_bytes);
// The number of clusters of the configuration's size that can be resident, and the largest size.
cudaError_t active_clusters(int* clusters, KernelInfo* info, const cudaLaunchConfig_t* c);
cudaError_t largest_cluster(int* blocks, KernelInfo* info, const cudaLaunchConfig_t* c);
cudaError_t available_shared(size_t* bytes, KernelInfo* info, int blocks, int block_size);
// The block size with the most resident threads; `shared_bytes_of(context, block size)` gives the
// dynamic bytes.
cudaError_t best_block_size(int* min_grid_size, int* block_size, KernelInfo* info,
                            size_t (*shared_bytes_of)(const void* context, int block_size),
                            const void* context, int block_size_limit);

// The kernels whose pointers programs keep; find_kernel() of any other pointer is empty.
void remember_kernel(const KernelHandle& kernel);
KernelHandle find_kernel(const void* kernel);

// Returns a kernel's handle for any form of the argument; an empty handle if the type is lost.
template <typename... Parameters>
KernelHandle handle_of_any(void (*kernel)(Parameters...)) {
  return kernel ? handle_of(kernel) : KernelHandle{};
}
inline KernelHandle handle_of_any(const void* kernel) {
  return find_kernel(kernel);
}

// Called by translated code in place of `(void*)kernel`.
template <typename... Parameters>
void* kernel_pointer(void (*kernel)(Parameters...)) {
  remember_kernel(handle_of(kernel));
  return reinterpret_cast<void*>(kernel);
}

}  // namespace cudacpu

template <typename Kernel>
cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudacpu::launch_kernel(cudacpu::handle_of_any(kernel),
                                {grid, block, shared_bytes, stream, false, {}}, arguments,
                                "cudaLaunchKernel");
}
template <typename Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudacpu::launch_kernel(cudacpu::handle_of_any(kernel),
                                {grid, block, shared_bytes, stream, true, {}}, arguments,
                                "cudaLaunchCooperativeKernel");
}
template <typename Kernel>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, Kernel* kernel,
                                void** arguments) {
  return cudacpu::launch_kernel(cudacpu::handle_of_any(kernel), configuration, arguments);
}
template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration,
                               void (*kernel)(Parameters...), Arguments&&... arguments) {
  // The arguments become objects of the parameters' types, which must outlive the launch.
  return [&](std::remove_reference_t<Parameters>... parameters) {
    void* pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&parameters))...,
                        nullptr};
    return cudacpu::launch_kernel(cudacpu::handle_of(kernel), configuration, pointers);
  }(static_cast<Arguments&&>(arguments)...);
}

template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cudacpu::get_attributes(attributes, cudacpu::handle_of_any(kernel).info);
}
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudacpu::set_attribute(cudacpu::handle_of_any(kernel).info, attribute, value);
}
template <typename Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache) {
  return cudacpu::accept_kernel(cudacpu::handle_of_any(kernel).info, "cudaFuncSetCacheConfig");
}
template <typename Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel* kernel, cudaSharedMemConfig) {
  return cudacpu::accept_kernel(cudacpu::handle_of_any(kernel).info, "cudaFuncSetSharedMemConfig");
}
template <typename Kernel>
cudaError_t cudaFuncGetName(const char** name, Kernel* kernel) {
  return cudacpu::get_name(name, cudacpu::handle_of_any(kernel).info);
}

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel,
                                                          int block_size,
                                                          size_t dynamic_shared_bytes) {
  return cudacpu::active_blocks(blocks, cudacpu::handle_of_any(kernel).info, block_size,
                                dynamic_shared_bytes);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int) {
  return cudacpu::active_blocks(blocks, cudacpu::handle_of_any(kernel).info, block_size,
                                dynamic_shared_bytes);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel* kernel,
                                           const cudaLaunchConfig_t* configuration) {
  return cudacpu::active_clusters(clusters, cudacpu::handle_of_any(kernel).info, configuration);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Kernel* kernel,
                                                 const cudaLaunchConfig_t* configuration) {
  return cudacpu::largest_cluster(blocks, cudacpu::handle_of_any(kernel).info, configuration);
}
template <typename Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Kernel* kernel, int blocks,
                                                      int block_size) {
  return cudacpu::available_shared(bytes, cudacpu::handle_of_any(kernel).info, blocks, block_size);
}
template <typename Function, typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size,
                                                           Kernel kernel, Function shared_bytes_of,
                                                           int block_size_limit = 0) {
  return cudacpu::best_block_size(
      min_grid_size, block_size, cudacpu::handle_of_any(kernel).info,
      [](const void* function, int size) -> size_t {
        return (*static_cast<const Function*>(function))(size);
      },
      &shared_bytes_of, block_size_limit);
}
template <typename Function, typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid_size,
                                                                    int* block_size, Kernel kernel,
                                                                    Function shared_bytes_of,
                                                                    int block_size_limit = 0,
                                                                    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid_size, block_size, kernel,
                                                        shared_bytes_of, block_size_limit);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, Kernel kernel,
                                               size_t dynamic_shared_bytes = 0,
                                               int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid_size, block_size, kernel, [=](int) { return dynamic_shared_bytes; },
      block_size_limit);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size,
                                                        Kernel kernel,
                                                        size_t dynamic_shared_bytes = 0,
                                                        int block_size_limit = 0,
                                                        unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid_size, block_size, kernel, dynamic_shared_bytes,
                                            block_size_limit);
}
