// cuSPARSE: computations with the descriptors of descriptors.h.
//
// Buffers have sizes other than 0, as programs expect, but the library stores nothing in them. The
// preparations of *_preprocess and *_analysis on a GPU are not needed, unless stated below. alpha
// and beta have the type `compute_type`.
#ifndef CUDACPU_CUSPARSE_OPERATIONS_H_
#define CUDACPU_CUSPARSE_OPERATIONS_H_

#include "descriptors.h"

// A GPU's ways to compute, which results do not show.
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
  CUSPARSE_SPSV_UPDATE_GENERAL = 0,
  CUSPARSE_SPSV_UPDATE_DIAGONAL = 1
} cusparseSpSVUpdate_t;
typedef enum {
  CUSPARSE_SPSM_UPDATE_GENERAL = 0,
  CUSPARSE_SPSM_UPDATE_DIAGONAL = 1
} cusparseSpSMUpdate_t;

typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr* cusparseSpSMDescr_t;

extern "C" {
// ---- vectors ----
// y = alpha x + beta y; x = the elements of y at x's indices, or the other way; a rotation.
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t x, const void* beta,
                               cusparseDnVecDescr_t y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y);
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* cosine, const void* sine,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y);
// The sum of op(x) y.
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_x,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void* result, cudaDataType compute_type,
                                         size_t* bytes);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op_x,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void* result, cudaDataType compute_type, void* buffer);

// ---- conversions ----
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t algorithm,
                                                  size_t* bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                       void* buffer);
// The analysis stores offsets and, in the descriptor, the number of entries other than 0; then the
// program allocates arrays and sets their pointers. For Blocked-ELL the program gives the columns.
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t algorithm,
                                                  size_t* bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t algorithm, void* buffer);

// ---- products ----
// y = alpha op(A) x + beta y with a sparse A.
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void* beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                              cusparseSpMVAlg_t algorithm, void* buffer);
// C = alpha op(A) op(B) + beta C with a sparse A.
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t algorithm,
                                         size_t* bytes);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t algorithm,
                                         void* buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute_type,
                              cusparseSpMMAlg_t algorithm, void* buffer);
// The same with dense A and B; only the entries of the sparse C are computed.
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t algorithm,
                                          size_t* bytes);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t algorithm,
                                          void* buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                               cusparseOperation_t op_b, const void* alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute_type,
                               cusparseSDDMMAlg_t algorithm, void* buffer);
// C = alpha op(A) op(B) + beta C with sparse matrices only. _compute stores the number of entries
// in the descriptor of C; then the program allocates arrays and sets their pointers.
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descriptor);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor);
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
    cusparseSpMatDescr_t c, cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, size_t* bytes1, void* buffer1);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product, int64_t* products);
cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
    cusparseSpMatDescr_t c, cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, float fraction, size_t* bytes3, void* buffer3, size_t* bytes2);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c,
                                        cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                                        cusparseSpGEMMDescr_t product, size_t* bytes2,
                                        void* buffer2);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t product);
// SpGEMM for several products of matrices whose entries have the same places: _nnz stores the
// number of entries, _copy the entries' places, _compute the values.
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t product, size_t* bytes1, void* buffer1);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t algorithm,
                                         cusparseSpGEMMDescr_t product, size_t* bytes2,
                                         void* buffer2, size_t* bytes3, void* buffer3,
                                         size_t* bytes4, void* buffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                          cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t algorithm,
                                          cusparseSpGEMMDescr_t product, size_t* bytes5,
                                          void* buffer5);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                             cusparseOperation_t op_b, const void* alpha,
                                             cusparseConstSpMatDescr_t a,
                                             cusparseConstSpMatDescr_t b, const void* beta,
                                             cusparseSpMatDescr_t c, cudaDataType compute_type,
                                             cusparseSpGEMMAlg_t algorithm,
                                             cusparseSpGEMMDescr_t product);

// ---- triangular systems ----
// op(A) y = alpha x, with the triangle of A that A's attributes name. The analysis keeps a copy of
// A: new values need another analysis, or _updateMatrix.
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                         cusparseSpSVDescr_t solver, size_t* bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       const void* alpha, cusparseConstSpMatDescr_t a,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t solver, void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute_type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t solver);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t solver,
                                           void* values, cusparseSpSVUpdate_t part);
// op(A) C = alpha op(B).
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType compute_type,
                                         cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solver,
                                         size_t* bytes);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType compute_type,
                                       cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solver,
                                       void* buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute_type,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t solver);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t solver,
                                           void* values, cusparseSpSMUpdate_t part);
}

#endif
