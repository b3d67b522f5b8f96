// cuSPARSE: handles, and the descriptors of the older functions' matrices.
#include "cusparse.h"

#include "cusparse/descriptors.h"

using namespace cudacpu::sparse;

namespace {

struct Status {
  const char *name, *text;
};

constexpr Status kStatuses[] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "there is no such handle"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "memory could not be allocated"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "an argument is not valid"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "a texture could not be bound"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "the function failed on the device"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "the type of the matrix is not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "a pivot is missing or 0"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "the operation is not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "not enough resources"},
};

Status description(cusparseStatus_t status) {
  const auto number = static_cast<size_t>(status);
  if (number < std::size(kStatuses)) return kStatuses[number];
  return {"unrecognized error code", "unrecognized error code"};
}

// Changes a descriptor of an older function's matrix.
template <typename T>
cusparseStatus_t set(cusparseMatDescr_t descriptor, T cusparseMatDescr::*part, T value) {
  if (!is_live(descriptor)) return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->*part = value;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return create(handle);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return destroy(handle) == CUSPARSE_STATUS_SUCCESS ? CUSPARSE_STATUS_SUCCESS
                                                    : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  const cusparseStatus_t status = check(handle, version != nullptr);
  if (status == CUSPARSE_STATUS_SUCCESS) *version = CUSPARSE_VERSION;
  return status;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  if (!value || type > PATCH_LEVEL) return CUSPARSE_STATUS_INVALID_VALUE;
  constexpr int kParts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = kParts[type];
  return CUSPARSE_STATUS_SUCCESS;
}

const char* cusparseGetErrorName(cusparseStatus_t status) {
  return description(status).name;
}

const char* cusparseGetErrorString(cusparseStatus_t status) {
  return description(status).text;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  const cusparseStatus_t status = check(handle);
  if (status == CUSPARSE_STATUS_SUCCESS) handle->stream = stream;
  return status;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  const cusparseStatus_t status = check(handle, stream != nullptr);
  if (status == CUSPARSE_STATUS_SUCCESS) *stream = handle->stream;
  return status;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  const cusparseStatus_t status = check(handle);
  if (status == CUSPARSE_STATUS_SUCCESS) handle->pointer_mode = mode;
  return status;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  const cusparseStatus_t status = check(handle, mode != nullptr);
  if (status == CUSPARSE_STATUS_SUCCESS) *mode = handle->pointer_mode;
  return status;
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) {
  return create(descriptor);
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  return destroy(descriptor);
}

cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  return set(descriptor, &cusparseMatDescr::type, type);
}

cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) {
  return descriptor->type;
}

cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode) {
  return set(descriptor, &cusparseMatDescr::fill_mode, mode);
}

cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor) {
  return descriptor->fill_mode;
}

cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type) {
  return set(descriptor, &cusparseMatDescr::diagonal, type);
}

cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor) {
  return descriptor->diagonal;
}

cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  return set(descriptor, &cusparseMatDescr::base, base);
}

cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) {
  return descriptor->base;
}
