// The functions of cuFFT.
#include "cufft.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>

#include "cufft/plan.h"
#include "cufftXt.h"

using cudacpu::fourier::Plan;

namespace {

// The data of a handle. Work that waits in a stream keeps its plan, even after the handle is
// destroyed.
struct Handle {
  std::shared_ptr<const Plan> plan;  // null until the plan is made
  cudaStream_t stream = nullptr;
};

class HandleTable {
 public:
  cufftHandle add() {
    const std::lock_guard<std::mutex> lock(mutex_);
    handles_[++last_] = Handle();
    return last_;
  }
  bool remove(cufftHandle handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return handles_.erase(handle) != 0;
  }
  // Calls `function(handle)`; returns false for an unknown handle.
  template <typename Function>
  bool use(cufftHandle handle, Function function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = handles_.find(handle);
    if (found == handles_.end()) return false;
    function(found->second);
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<cufftHandle, Handle> handles_;
  cufftHandle last_ = 0;
};

HandleTable& handles() {
  static auto* const table = new HandleTable;
  return *table;
}

constexpr int kMostDimensions = 3;

// A plan, if its description is valid.
struct Description {
  cufftResult valid;
  Plan plan;
};

bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
         type == CUFFT_D2Z || type == CUFFT_Z2D;
}

template <typename Int>
Description many(int rank, const Int* n, const Int* in_embed, Int in_stride, Int in_distance,
                 const Int* out_embed, Int out_stride, Int out_distance, cufftType type,
                 Int batch) {
  if (!n) return {CUFFT_INVALID_VALUE, {}};
  if (!is_type(type)) return {CUFFT_INVALID_TYPE, {}};
  if (rank < 1 || rank > kMostDimensions) return {CUFFT_INVALID_VALUE, {}};
  if (!in_embed != !out_embed) return {CUFFT_INVALID_VALUE, {}};
  if (batch < 1 || *std::min_element(n, n + rank) < 1) return {CUFFT_INVALID_SIZE, {}};
  Plan plan;
  plan.n.assign(n, n + rank);
  plan.type = type;
  plan.batch = batch;
  if (in_embed) {
    plan.in = {{in_embed, in_embed + rank}, in_stride, in_distance};
    plan.out = {{out_embed, out_embed + rank}, out_stride, out_distance};
  }
  return {CUFFT_SUCCESS, plan};
}

Description dense(std::initializer_list<int> n, cufftType type, int batch = 1) {
  const int* const none = nullptr;
  return many(static_cast<int>(n.size()), n.begin(), none, 1, 0, none, 1, 0, type, batch);
}

// A plan can be made only once.
cufftResult make(cufftHandle handle, const Description& described, size_t* work_size) {
  bool made = false;
  const bool known = handles().use(handle, [&](Handle& of) {
    made = of.plan != nullptr;
    if (made || described.valid != CUFFT_SUCCESS) return;
    const auto plan = std::make_shared<Plan>(described.plan);
    plan->prepare();
    of.plan = plan;
  });
  if (!known || made) return CUFFT_INVALID_PLAN;
  if (described.valid == CUFFT_SUCCESS && work_size) *work_size = described.plan.bytes();
  return described.valid;
}

cufftResult create_and_make(cufftHandle* handle, const Description& described) {
  if (!handle) return CUFFT_INVALID_VALUE;
  if (described.valid != CUFFT_SUCCESS) return described.valid;
  *handle = handles().add();
  return make(*handle, described, nullptr);
}

cufftResult size_of(const Description& described, size_t* work_size) {
  if (!work_size) return CUFFT_INVALID_VALUE;
  if (described.valid == CUFFT_SUCCESS) *work_size = described.plan.bytes();
  return described.valid;
}

cufftResult execute(cufftHandle handle, const char* name, void* in, void* out, int sign,
                    const cufftType* type) {
  Handle used;
  if (!handles().use(handle, [&](const Handle& of) { used = of; }) || !used.plan)
    return CUFFT_INVALID_PLAN;
  if (type && used.plan->type != *type) {
    cudacpu::explain("%s: the plan is for another type of transforms", name);
    return CUFFT_INVALID_TYPE;
  }
  if (!in || !out || (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)) return CUFFT_INVALID_VALUE;
  const cudaError_t error = cudacpu::library_call_in_stream(
      used.stream, name, [=, plan = used.plan](auto& call) { plan->execute(call, in, out, sign); });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// The type of the transform between two types of numbers.
bool type_between(cudaDataType in, cudaDataType out, cufftType* type) {
  static const struct {
    cudaDataType in, out;
    cufftType type;
  } kTypes[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (const auto& row : kTypes) {
    if (row.in != in || row.out != out) continue;
    *type = row.type;
    return true;
  }
  cudacpu::explain(
      "cuFFT: the CPU device transforms numbers of 32 and 64 bits, both of the same size");
  return false;
}

}  // namespace

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and_make(plan, dense({nx}, type, batch));
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_size) {
  return size_of(dense({nx}, type, batch), work_size);
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t* work_size) {
  return make(plan, dense({nx}, type, batch), work_size);
}

cufftResult cufftGetSize1d(cufftHandle, int nx, cufftType type, int batch, size_t* work_size) {
  return size_of(dense({nx}, type, batch), work_size);
}

cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create_and_make(plan, dense({nx, ny}, type));
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_size) {
  return size_of(dense({nx, ny}, type), work_size);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size) {
  return make(plan, dense({nx, ny}, type), work_size);
}

cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType type, size_t* work_size) {
  return size_of(dense({nx, ny}, type), work_size);
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create_and_make(plan, dense({nx, ny, nz}, type));
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_size) {
  return size_of(dense({nx, ny, nz}, type), work_size);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_size) {
  return make(plan, dense({nx, ny, nz}, type), work_size);
}

cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType type, size_t* work_size) {
  return size_of(dense({nx, ny, nz}, type), work_size);
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return create_and_make(
      plan, many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch));
}

cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch,
                              size_t* work_size) {
  return size_of(many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
                 work_size);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* work_size) {
  return make(plan, many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
              work_size);
}

cufftResult cufftGetSizeMany(cufftHandle, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType type, int batch,
                             size_t* work_size) {
  return size_of(many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
                 work_size);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t* work_size) {
  return make(plan, many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
              work_size);
}

cufftResult cufftGetSizeMany64(cufftHandle, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               size_t* work_size) {
  return size_of(many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch),
                 work_size);
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType input,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType output, long long batch, size_t* work_size,
                                cudaDataType) {
  cufftType type;
  if (!type_between(input, output, &type)) return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                             batch, work_size);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType input,
                               long long* onembed, long long ostride, long long odist,
                               cudaDataType output, long long batch, size_t* work_size,
                               cudaDataType) {
  cufftType type;
  if (!type_between(input, output, &type)) return CUFFT_NOT_SUPPORTED;
  return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                            batch, work_size);
}

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  *handle = handles().add();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  return handles().remove(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const bool known = handles().use(handle, [stream](Handle& of) { of.stream = stream; });
  return known ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

#define EXECUTE_COMPLEX(name, Number)                                                       \
  cufftResult cufftExec##name(cufftHandle handle, Number* in, Number* out, int direction) { \
    const cufftType type = CUFFT_##name;                                                    \
    return execute(handle, __func__, in, out, direction, &type);                            \
  }
#define EXECUTE_REAL(name, In, Out, direction)                        \
  cufftResult cufftExec##name(cufftHandle handle, In* in, Out* out) { \
    const cufftType type = CUFFT_##name;                              \
    return execute(handle, __func__, in, out, direction, &type);      \
  }
EXECUTE_COMPLEX(C2C, cufftComplex)
EXECUTE_COMPLEX(Z2Z, cufftDoubleComplex)
EXECUTE_REAL(R2C, cufftReal, cufftComplex, CUFFT_FORWARD)
EXECUTE_REAL(D2Z, cufftDoubleReal, cufftDoubleComplex, CUFFT_FORWARD)
EXECUTE_REAL(C2R, cufftComplex, cufftReal, CUFFT_INVERSE)
EXECUTE_REAL(Z2D, cufftDoubleComplex, cufftDoubleReal, CUFFT_INVERSE)

cufftResult cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
  return execute(handle, __func__, in, out, direction, nullptr);
}

cufftResult cufftGetSize(cufftHandle handle, size_t* work_size) {
  if (!work_size) return CUFFT_INVALID_VALUE;
  bool made = false;
  handles().use(handle, [&](const Handle& of) {
    made = of.plan != nullptr;
    if (made) *work_size = of.plan->bytes();
  });
  return made ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

// The memory is not needed: only the handle is checked.
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return handles().use(handle, [](const Handle&) {}) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return handles().use(handle, [](const Handle&) {}) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (!value || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  constexpr int kParts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = kParts[type];
  return CUFFT_SUCCESS;
}
