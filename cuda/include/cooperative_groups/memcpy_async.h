/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cooperative_groups/memcpy_async.h: copies of a group, and waiting for them. */
#ifndef CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>
#include <crosswatt_async.h>

namespace cooperative_groups
{

/* One group of copies a call; `bytes` is a number or an aligned_size_t. */
template <typename Group, typename T, typename U, typename Size>
__attribute__((device)) __inline__ void memcpy_async(const Group &group, T *to, const U *from,
                                                     Size bytes)
{
    constexpr size_t most =
        ::cuda::crosswatt::larger<::cuda::crosswatt::alignment_of_size<Size>::value,
                                  alignof(T)>::value;
    constexpr size_t piece = most > 16 ? 16 : most;
    for (size_t i = group.thread_rank() * piece; i < (size_t)bytes; i += group.size() * piece)
        ::cuda::crosswatt::copy_beside((char *)to + i, (const char *)from + i, piece, piece);
    __pipeline_commit();
}
template <typename Group> __attribute__((device)) __inline__ void wait(const Group &group)
{
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned N, typename Group>
__attribute__((device)) __inline__ void wait_prior(const Group &group)
{
    __pipeline_wait_prior(N);
    group.sync();
}

} // namespace cooperative_groups

#endif
