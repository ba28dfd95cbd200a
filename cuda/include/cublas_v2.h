/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cublas_v2.h: cuBLAS is not here. A program that includes it compiles, and may make
 * handles and set them; a function that would compute is a warning where it is called and ends the
 * program with its name when it is reached. */
#ifndef CW_CUDA_INCLUDE_CUBLAS_V2_H
#define CW_CUDA_INCLUDE_CUBLAS_V2_H

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(__cplusplus)
#error "crosswatt has no cuBLAS"
#else

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;

struct cublasContext {
    cudaStream_t stream;
    cublasMath_t math;
    cublasPointerMode_t pointers;
};
typedef struct cublasContext *cublasHandle_t;

static inline cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = (cublasHandle_t)calloc(1, sizeof **handle);
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream)
{
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    handle->math = mode;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)
{
    handle->pointers = mode;
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
    *version = 11080;
    return CUBLAS_STATUS_SUCCESS;
}
static inline const char *cublasGetStatusString(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? "success" : "cuBLAS is not there";
}

/* What computes: any arguments, no result. */
#define CW_LACKS(name)                                                                             \
    template <typename... A>                                                                       \
    static inline cublasStatus_t name(const A &...) __attribute__((                                \
        diagnose_if(true, "crosswatt has no cuBLAS: this ends the program", "warning")))           \
    {                                                                                              \
        fprintf(stderr, "crosswatt: crosswatt has no cuBLAS: %s cannot be run\n", #name);          \
        exit(2);                                                                                   \
    }
#define CW_LACKS_SDCZ(name)                                                                        \
    CW_LACKS(cublasS##name)                                                                        \
    CW_LACKS(cublasD##name)                                                                        \
    CW_LACKS(cublasC##name)                                                                        \
    CW_LACKS(cublasZ##name)
CW_LACKS_SDCZ(gemm)
CW_LACKS_SDCZ(gemmBatched)
CW_LACKS_SDCZ(gemmStridedBatched)
CW_LACKS_SDCZ(gemv)
CW_LACKS_SDCZ(ger)
CW_LACKS_SDCZ(geam)
CW_LACKS_SDCZ(dgmm)
CW_LACKS_SDCZ(trsm)
CW_LACKS_SDCZ(trsv)
CW_LACKS_SDCZ(trmm)
CW_LACKS_SDCZ(symm)
CW_LACKS_SDCZ(symv)
CW_LACKS_SDCZ(syrk)
CW_LACKS_SDCZ(syr2k)
CW_LACKS_SDCZ(axpy)
CW_LACKS_SDCZ(copy)
CW_LACKS_SDCZ(scal)
CW_LACKS_SDCZ(swap)
CW_LACKS_SDCZ(dot)
CW_LACKS_SDCZ(dotu)
CW_LACKS_SDCZ(dotc)
CW_LACKS_SDCZ(nrm2)
CW_LACKS_SDCZ(asum)
CW_LACKS_SDCZ(rot)
CW_LACKS_SDCZ(getrfBatched)
CW_LACKS_SDCZ(getriBatched)
CW_LACKS_SDCZ(getrsBatched)
CW_LACKS_SDCZ(gelsBatched)
CW_LACKS(cublasHgemm)
CW_LACKS(cublasHgemmBatched)
CW_LACKS(cublasHgemmStridedBatched)
CW_LACKS(cublasIsamax)
CW_LACKS(cublasIdamax)
CW_LACKS(cublasIsamin)
CW_LACKS(cublasIdamin)
CW_LACKS(cublasGemmEx)
CW_LACKS(cublasGemmBatchedEx)
CW_LACKS(cublasGemmStridedBatchedEx)
CW_LACKS(cublasAxpyEx)
CW_LACKS(cublasDotEx)
CW_LACKS(cublasScalEx)
CW_LACKS(cublasNrm2Ex)
CW_LACKS(cublasSetVector)
CW_LACKS(cublasGetVector)
CW_LACKS(cublasSetMatrix)
CW_LACKS(cublasGetMatrix)
#undef CW_LACKS_SDCZ

#endif
#endif
