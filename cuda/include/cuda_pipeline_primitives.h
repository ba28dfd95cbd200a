/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_pipeline_primitives.h: all of it is in cuda_pipeline.h. */
#ifndef CW_CUDA_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H
#define CW_CUDA_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H

#include <cuda_pipeline.h>

#endif
