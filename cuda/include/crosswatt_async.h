/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_async.h: barriers of a block, pipelines of a thread and copies that go on
 * beside the program (cuda/barrier, cuda/pipeline, cooperative_groups/memcpy_async.h). As in
 * NVIDIA's library a copy is one of loads and stores below sm_80, and from there on `cp.async`
 * where a pipeline or a group waits for it and its pieces have 4, 8 or 16 bytes. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_ASYNC_H
#define CW_CUDA_INCLUDE_CROSSWATT_ASYNC_H

#include <cuda_pipeline.h>
#include <type_traits>

#define CW_ASYNC __attribute__((device)) __inline__

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

template <size_t Align> struct aligned_size_t {
    static constexpr size_t align = Align;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t n) : value(n)
    {
    }
    __host__ __device__ constexpr operator size_t() const
    {
        return value;
    }
};

namespace crosswatt
{
template <typename T> CW_ASYNC void copy_as(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n / sizeof(T); i++)
        ((T *)to)[i] = ((const T *)from)[i];
}
CW_ASYNC void copy_now(void *to, const void *from, size_t n, size_t align)
{
    if (align >= 16)
        copy_as<uint4>(to, from, n);
    else if (align >= 8)
        copy_as<uint2>(to, from, n);
    else if (align >= 4)
        copy_as<unsigned>(to, from, n);
    else
        copy_as<char>(to, from, n);
}
/* of `align` bytes, as far as they go */
CW_ASYNC void copy_beside(void *to, const void *from, size_t n, size_t align)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    size_t piece = align >= 16 ? 16 : align >= 8 ? 8 : align >= 4 ? 4 : 0;
    if (piece && __isShared(to) && __isGlobal(from)) {
        for (size_t i = 0; i + piece <= n; i += piece)
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, piece);
        return;
    }
#endif
    copy_now(to, from, n, align);
}
template <typename Size> struct alignment_of_size {
    static constexpr size_t value = 1;
};
template <size_t Align> struct alignment_of_size<aligned_size_t<Align>> {
    static constexpr size_t value = Align;
};
template <size_t A, size_t B> struct larger {
    static constexpr size_t value = A > B ? A : B;
};
} // namespace crosswatt

/* ---- barriers ---- */
template <thread_scope Scope, typename Completion = void> class barrier
{
    unsigned expected_, pending_, phase_;

  public:
    using arrival_token = unsigned;
    barrier() = default;
    CW_ASYNC explicit barrier(ptrdiff_t n)
    {
        begin((unsigned)n);
    }
    CW_ASYNC void begin(unsigned n)
    {
        expected_ = pending_ = n;
        phase_ = 0;
    }
    CW_ASYNC arrival_token arrive(ptrdiff_t n = 1)
    {
        arrival_token mine = *(volatile unsigned *)&phase_;
        __threadfence_block();
        if (atomicSub(&pending_, (unsigned)n) == (unsigned)n) {
            *(volatile unsigned *)&pending_ = *(volatile unsigned *)&expected_;
            __threadfence_block();
            atomicAdd(&phase_, 1u);
        }
        return mine;
    }
    CW_ASYNC void wait(arrival_token token)
    {
        while (*(volatile unsigned *)&phase_ == token)
            ;
        __threadfence_block();
    }
    CW_ASYNC void arrive_and_wait()
    {
        wait(arrive());
    }
    CW_ASYNC void arrive_and_drop()
    {
        atomicSub(&expected_, 1u);
        arrive();
    }
    friend CW_ASYNC void init(barrier *b, ptrdiff_t n)
    {
        b->begin((unsigned)n);
    }
};

/* ---- pipelines of one thread ---- */
template <thread_scope Scope> class pipeline
{
    static_assert(Scope == thread_scope_thread,
                  "crosswatt has pipelines of a thread (cuda::thread_scope_thread) only");
    unsigned open_ = 0; /* groups that were committed and not released */

  public:
    CW_ASYNC void producer_acquire()
    {
    }
    CW_ASYNC void producer_commit()
    {
        __pipeline_commit();
        open_++;
    }
    CW_ASYNC void consumer_wait()
    {
        __pipeline_wait_prior(open_ > 5 ? 4 : open_ ? open_ - 1 : 0);
    }
    CW_ASYNC void consumer_release()
    {
        open_ -= open_ > 0;
    }
    CW_ASYNC bool quit()
    {
        __pipeline_wait_prior(0);
        return true;
    }
};
CW_ASYNC pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}
/* All but the last N groups of the thread are there. */
template <unsigned N> CW_ASYNC void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
    __pipeline_wait_prior(N);
}

/* ---- copies ---- */
/* one thread's own */
template <typename T, typename Size, thread_scope Scope>
CW_ASYNC void memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &)
{
    constexpr size_t piece = crosswatt::larger < crosswatt::alignment_of_size<Size>::value,
                     std::is_void<T>::value
                         ? 1
                         : alignof(std::conditional_t<std::is_void<T>::value, char, T>) > ::value;
    crosswatt::copy_beside((void *)to, (const void *)from, (size_t)bytes, piece);
}
template <typename T, typename Size, thread_scope Scope, typename C>
CW_ASYNC void memcpy_async(T *to, const T *from, Size bytes, barrier<Scope, C> &)
{
    constexpr size_t piece = crosswatt::larger < crosswatt::alignment_of_size<Size>::value,
                     std::is_void<T>::value
                         ? 1
                         : alignof(std::conditional_t<std::is_void<T>::value, char, T>) > ::value;
    crosswatt::copy_now((void *)to, (const void *)from, (size_t)bytes, piece);
}
/* a group's together: elements of the threads in turn */
template <typename Group, typename T, typename Size, typename Sync>
CW_ASYNC auto memcpy_async(const Group &group, T *to, const T *from, Size bytes, Sync &sync)
    -> decltype(group.thread_rank(), void())
{
    constexpr size_t most =
        crosswatt::larger<crosswatt::alignment_of_size<Size>::value, alignof(T)>::value;
    constexpr size_t piece = most > 16 ? 16 : most;
    for (size_t i = group.thread_rank() * piece; i < (size_t)bytes; i += group.size() * piece)
        memcpy_async((char *)to + i, (const char *)from + i, aligned_size_t<piece>(piece), sync);
}

} // namespace cuda

#undef CW_ASYNC

#endif
