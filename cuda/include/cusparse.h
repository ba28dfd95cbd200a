/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cusparse.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUSPARSE_H
#define CW_CUDA_INCLUDE_CUSPARSE_H

#error "crosswatt has no cuSPARSE"

#endif
