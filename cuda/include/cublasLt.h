/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cublasLt.h: cuBLASLt is not here, in the way of cublas_v2.h: handles, and functions
 * that end the program with their names. */
#ifndef CW_CUDA_INCLUDE_CUBLASLT_H
#define CW_CUDA_INCLUDE_CUBLASLT_H

#include <cublas_v2.h>

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtDesc *cublasLtMatmulDesc_t;
typedef struct cublasLtLayout *cublasLtMatrixLayout_t;
typedef struct cublasLtPreference *cublasLtMatmulPreference_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
} cublasLtMatmulHeuristicResult_t;
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
} cublasLtMatmulDescAttributes_t;
typedef enum { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 } cublasLtMatmulPreferenceAttributes_t;

static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    *handle = (cublasLtHandle_t)calloc(1, sizeof(void *));
    return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}
CW_LACKS(cublasLtMatmul)
CW_LACKS(cublasLtMatmulDescCreate)
CW_LACKS(cublasLtMatmulDescDestroy)
CW_LACKS(cublasLtMatmulDescSetAttribute)
CW_LACKS(cublasLtMatrixLayoutCreate)
CW_LACKS(cublasLtMatrixLayoutDestroy)
CW_LACKS(cublasLtMatrixLayoutSetAttribute)
CW_LACKS(cublasLtMatmulPreferenceCreate)
CW_LACKS(cublasLtMatmulPreferenceDestroy)
CW_LACKS(cublasLtMatmulPreferenceSetAttribute)
CW_LACKS(cublasLtMatmulAlgoGetHeuristic)

#endif
