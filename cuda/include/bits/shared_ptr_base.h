/* SPDX-License-Identifier: MIT
 *
 * cuda/include/bits/shared_ptr_base.h: the C++ library's own, without the macro that CUDA makes of
 * a word it uses. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
