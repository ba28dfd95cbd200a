/* SPDX-License-Identifier: MIT
 *
 * cuda/include/npp.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_NPP_H
#define CW_CUDA_INCLUDE_NPP_H

#error "crosswatt has no NPP"

#endif
