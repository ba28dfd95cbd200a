/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cufft.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUFFT_H
#define CW_CUDA_INCLUDE_CUFFT_H

#error "crosswatt has no cuFFT"

#endif
