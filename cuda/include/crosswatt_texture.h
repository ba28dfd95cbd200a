/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_texture.h: textures and surfaces. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_TEXTURE_H
#define CW_CUDA_INCLUDE_CROSSWATT_TEXTURE_H

#endif
