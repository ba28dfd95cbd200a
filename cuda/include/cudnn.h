/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cudnn.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUDNN_H
#define CW_CUDA_INCLUDE_CUDNN_H

#error "crosswatt has no cuDNN"

#endif
