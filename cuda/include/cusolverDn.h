/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cusolverDn.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUSOLVERDN_H
#define CW_CUDA_INCLUDE_CUSOLVERDN_H

#error "crosswatt has no cuSOLVER"

#endif
