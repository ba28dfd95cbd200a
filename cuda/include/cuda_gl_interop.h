/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_gl_interop.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUDA_GL_INTEROP_H
#define CW_CUDA_INCLUDE_CUDA_GL_INTEROP_H

#error "crosswatt has no OpenGL interoperation"

#endif
