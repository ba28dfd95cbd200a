/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cooperative_groups.h: groups of threads: the grid of a cooperative launch, the
 * block, tiles of a warp, coalesced threads. */
#ifndef CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_H
#define CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#define CW_GROUP __attribute__((device)) __inline__

namespace cooperative_groups
{

/* All threads of the block. */
class thread_block
{
  public:
    static CW_GROUP void sync()
    {
        __syncthreads();
    }
    static CW_GROUP unsigned thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static CW_GROUP unsigned size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static CW_GROUP unsigned num_threads()
    {
        return size();
    }
    static CW_GROUP dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static CW_GROUP dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static CW_GROUP dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static CW_GROUP dim3 dim_threads()
    {
        return group_dim();
    }
};
CW_GROUP thread_block this_thread_block()
{
    return thread_block();
}
/* Room for tiles of several warps; what they need is made where they are used. */
template <unsigned Threads> struct block_tile_memory {
    char unused[4];
};
template <unsigned Threads> CW_GROUP thread_block this_thread_block(block_tile_memory<Threads> &)
{
    return thread_block();
}

/* Values of any type that can be copied, word by word. */
#define CW_SHUFFLE(NAME, BY)                                                                       \
    template <typename T> CW_GROUP T NAME(unsigned mask, T v, int by, int width)                   \
    {                                                                                              \
        unsigned words[(sizeof(T) + 3) / 4] = {};                                                  \
        __builtin_memcpy(words, &v, sizeof(T));                                                    \
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)                                \
            words[i] = BY(mask, words[i], by, width);                                              \
        __builtin_memcpy(&v, words, sizeof(T));                                                    \
        return v;                                                                                  \
    }
CW_SHUFFLE(cw_shuffle, __shfl_sync)
CW_SHUFFLE(cw_shuffle_up, __shfl_up_sync)
CW_SHUFFLE(cw_shuffle_down, __shfl_down_sync)
CW_SHUFFLE(cw_shuffle_xor, __shfl_xor_sync)
#undef CW_SHUFFLE

/* Threads of a warp that run together; the base of tiles. */
class cw_lanes
{
  protected:
    unsigned mask_, rank_, size_;

  public:
    CW_GROUP cw_lanes(unsigned mask, unsigned rank, unsigned size)
        : mask_(mask), rank_(rank), size_(size)
    {
    }
    CW_GROUP void sync() const
    {
        __syncwarp(mask_);
    }
    CW_GROUP unsigned thread_rank() const
    {
        return rank_;
    }
    CW_GROUP unsigned size() const
    {
        return size_;
    }
    CW_GROUP unsigned num_threads() const
    {
        return size_;
    }
    CW_GROUP int any(int p) const
    {
        return (__ballot_sync(mask_, p) & mask_) != 0;
    }
    CW_GROUP int all(int p) const
    {
        return (__ballot_sync(mask_, p) & mask_) == mask_;
    }
};

class thread_group
{
    unsigned mask_, rank_, size_; /* mask 0: the block */

  public:
    CW_GROUP thread_group(thread_block b) : mask_(0), rank_(b.thread_rank()), size_(b.size())
    {
    }
    CW_GROUP thread_group(unsigned mask, unsigned rank, unsigned size)
        : mask_(mask), rank_(rank), size_(size)
    {
    }
    CW_GROUP void sync() const
    {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    CW_GROUP unsigned thread_rank() const
    {
        return rank_;
    }
    CW_GROUP unsigned size() const
    {
        return size_;
    }
    CW_GROUP unsigned num_threads() const
    {
        return size_;
    }
};

template <unsigned N, typename Parent = void, bool IsLarge = (N > 32)>
class thread_block_tile : public cw_lanes
{
    static_assert(N && (N & (N - 1)) == 0, "tiles have 1, 2, 4, ... threads");

  public:
    CW_GROUP thread_block_tile()
        : cw_lanes(N == 32 ? 0xffffffffu : ((1u << (N & 31)) - 1) << (__lane_id() & ~(N - 1)),
                   __lane_id() & (N - 1), N)
    {
    }
    template <typename Other>
    CW_GROUP thread_block_tile(const thread_block_tile<N, Other> &) : thread_block_tile()
    {
    }
    CW_GROUP operator thread_group() const
    {
        return thread_group(mask_, rank_, size_);
    }
    static constexpr CW_GROUP unsigned size()
    {
        return N;
    }
    static constexpr CW_GROUP unsigned num_threads()
    {
        return N;
    }
    CW_GROUP unsigned meta_group_rank() const
    {
        return thread_block::thread_rank() / N;
    }
    CW_GROUP unsigned meta_group_size() const
    {
        return (thread_block::size() + N - 1) / N;
    }
    template <typename T> CW_GROUP T shfl(T v, int lane) const
    {
        return cw_shuffle(mask_, v, lane, N);
    }
    template <typename T> CW_GROUP T shfl_up(T v, int by) const
    {
        return cw_shuffle_up(mask_, v, by, N);
    }
    template <typename T> CW_GROUP T shfl_down(T v, int by) const
    {
        return cw_shuffle_down(mask_, v, by, N);
    }
    template <typename T> CW_GROUP T shfl_xor(T v, int by) const
    {
        return cw_shuffle_xor(mask_, v, by, N);
    }
    CW_GROUP unsigned ballot(int p) const
    {
        return (__ballot_sync(mask_, p) & mask_) >> (__lane_id() & ~(N - 1) & 31);
    }
    template <typename T> CW_GROUP unsigned match_any(T v) const
    {
        return (__match_any_sync(mask_, v) & mask_) >> (__lane_id() & ~(N - 1) & 31);
    }
};

/* Several warps: they meet at a barrier of their own, counted from the last one. */
template <unsigned N, typename Parent> class thread_block_tile<N, Parent, true>
{
    static_assert(N <= 1024 && (N & (N - 1)) == 0, "tiles have 1, 2, 4, ... 1024 threads");

  public:
    CW_GROUP void sync() const
    {
        __asm__ volatile("bar.sync %0, %1;" ::"r"(15 - meta_group_rank() % 16), "n"(N) : "memory");
    }
    CW_GROUP unsigned thread_rank() const
    {
        return thread_block::thread_rank() & (N - 1);
    }
    static constexpr CW_GROUP unsigned size()
    {
        return N;
    }
    static constexpr CW_GROUP unsigned num_threads()
    {
        return N;
    }
    CW_GROUP unsigned meta_group_rank() const
    {
        return thread_block::thread_rank() / N;
    }
    CW_GROUP unsigned meta_group_size() const
    {
        return (thread_block::size() + N - 1) / N;
    }
};

template <unsigned N, typename Parent>
CW_GROUP thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<N, Parent>();
}
CW_GROUP thread_group tiled_partition(const thread_block &, unsigned n)
{
    unsigned lane = __lane_id(),
             mask = n == 32 ? 0xffffffffu : ((1u << n) - 1) << (lane & ~(n - 1));
    return thread_group(mask, lane & (n - 1), n);
}
CW_GROUP thread_group tiled_partition(const thread_group &g, unsigned n)
{
    return tiled_partition(thread_block(), n);
}

/* The threads that are here together now. */
class coalesced_group : public cw_lanes
{
  public:
    CW_GROUP coalesced_group(unsigned mask)
        : cw_lanes(mask, (unsigned)__popc(mask & ((1u << __lane_id()) - 1)), (unsigned)__popc(mask))
    {
    }
    CW_GROUP unsigned nth_lane(unsigned n) const
    {
        unsigned m = mask_;
        while (n--)
            m &= m - 1;
        return (unsigned)__ffs((int)m) - 1;
    }
    template <typename T> CW_GROUP T shfl(T v, unsigned rank) const
    {
        return cw_shuffle(mask_, v, (int)nth_lane(rank), 32);
    }
    template <typename T> CW_GROUP T shfl_down(T v, unsigned by) const
    {
        return cw_shuffle(mask_, v, (int)(rank_ + by < size_ ? nth_lane(rank_ + by) : __lane_id()),
                          32);
    }
    template <typename T> CW_GROUP T shfl_up(T v, unsigned by) const
    {
        return cw_shuffle(mask_, v, (int)(rank_ >= by ? nth_lane(rank_ - by) : __lane_id()), 32);
    }
    CW_GROUP unsigned ballot(int p) const
    {
        unsigned all = __ballot_sync(mask_, p) & mask_, r = 0, k = 0;
        for (unsigned m = mask_; m; m &= m - 1, k++)
            r |= (unsigned)((all & (m & (0u - m))) != 0) << k;
        return r;
    }
    CW_GROUP operator thread_group() const
    {
        return thread_group(mask_, rank_, size_);
    }
};
CW_GROUP coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}
CW_GROUP coalesced_group binary_partition(const coalesced_group &, bool p)
{
    unsigned active = __activemask(), yes = __ballot_sync(active, p);
    return coalesced_group(p ? yes : active & ~yes);
}

template <unsigned N, typename P>
CW_GROUP coalesced_group binary_partition(const thread_block_tile<N, P, false> &g, bool p)
{
    unsigned yes = g.ballot(p) << (__lane_id() & ~(N - 1) & 31);
    unsigned all = (N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1) << (__lane_id() & ~(N - 1) & 31);
    return coalesced_group(p ? yes : all & ~yes);
}
/* Threads of the same label. */
template <typename T> CW_GROUP coalesced_group labeled_partition(const coalesced_group &, T label)
{
    return coalesced_group(__match_any_sync(__activemask(), label));
}
template <unsigned N, typename P, typename T>
CW_GROUP coalesced_group labeled_partition(const thread_block_tile<N, P, false> &, T label)
{
    unsigned all = (N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1) << (__lane_id() & ~(N - 1) & 31);
    return coalesced_group(__match_any_sync(all, label) & all);
}

template <typename G> CW_GROUP void sync(const G &g)
{
    g.sync();
}

/* ---- reductions and scans over tiles and coalesced groups ---- */
template <typename T> struct plus {
    CW_GROUP T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <typename T> struct less {
    CW_GROUP T operator()(T a, T b) const
    {
        return a < b ? a : b;
    }
};
template <typename T> struct greater {
    CW_GROUP T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};
template <typename T> struct bit_and {
    CW_GROUP T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <typename T> struct bit_or {
    CW_GROUP T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <typename T> struct bit_xor {
    CW_GROUP T operator()(T a, T b) const
    {
        return a ^ b;
    }
};
template <unsigned N, typename P, typename T, typename F>
CW_GROUP T reduce(const thread_block_tile<N, P, true> &g, T v, F f)
{
    __attribute__((shared)) static char room[32 * sizeof(T)];
    T *sums = reinterpret_cast<T *>(room);
    unsigned warp = thread_block::thread_rank() / 32, first = g.meta_group_rank() * (N / 32);
    thread_block_tile<32> lanes;
    for (unsigned by = 16; by > 0; by /= 2)
        v = f(v, lanes.shfl_xor(v, (int)by));
    if (lanes.thread_rank() == 0)
        sums[warp] = v;
    g.sync();
    v = sums[first];
    for (unsigned i = 1; i < N / 32; i++)
        v = f(v, sums[first + i]);
    g.sync();
    return v;
}
template <unsigned N, typename P, typename T, typename F>
CW_GROUP T reduce(const thread_block_tile<N, P, false> &g, T v, F f)
{
    for (unsigned by = N / 2; by > 0; by /= 2)
        v = f(v, g.shfl_xor(v, (int)by));
    return v;
}
template <typename T, typename F> CW_GROUP T reduce(const coalesced_group &g, T v, F f)
{
    T all = g.shfl(v, 0);
    for (unsigned i = 1; i < g.size(); i++)
        all = f(all, g.shfl(v, i));
    return all;
}
template <unsigned N, typename P, typename T, typename F>
CW_GROUP T inclusive_scan(const thread_block_tile<N, P> &g, T v, F f)
{
    for (unsigned by = 1; by < N; by *= 2) {
        T below = g.shfl_up(v, (int)by);
        if (g.thread_rank() >= by)
            v = f(below, v);
    }
    return v;
}
template <unsigned N, typename P, typename T>
CW_GROUP T inclusive_scan(const thread_block_tile<N, P> &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <unsigned N, typename P, typename T>
CW_GROUP T exclusive_scan(const thread_block_tile<N, P> &g, T v)
{
    return inclusive_scan(g, v, plus<T>()) - v;
}

/* All threads of a cooperative launch. Its blocks count themselves in the second word of a
 * workspace that the launch provides; the first one makes the top bit change when all have come. */
class grid_group
{
  public:
    CW_GROUP grid_group()
    {
        unsigned high, low;
        __asm__("mov.u32 %0, %%envreg1;" : "=r"(high));
        __asm__("mov.u32 %0, %%envreg2;" : "=r"(low));
        word_ = (unsigned long long)high << 32 | low;
    }
    CW_GROUP bool is_valid() const
    {
        return word_ != 0;
    }
    CW_GROUP void sync() const
    {
        if (!is_valid())
            __trap();
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            unsigned n = gridDim.x * gridDim.y * gridDim.z, old, now;
            unsigned mine = block_rank() == 0 ? 0x80000000u - (n - 1) : 1;
            __asm__ volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                             : "=r"(old)
                             : "l"(word_ + 4), "r"(mine)
                             : "memory");
            do {
                __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];"
                                 : "=r"(now)
                                 : "l"(word_ + 4)
                                 : "memory");
            } while (!((old ^ now) & 0x80000000u));
        }
        __syncthreads();
    }
    CW_GROUP unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    CW_GROUP unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    CW_GROUP dim3 block_index() const
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    CW_GROUP dim3 dim_blocks() const
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    CW_GROUP unsigned long long num_threads() const
    {
        return size();
    }
    CW_GROUP unsigned long long thread_rank() const
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    CW_GROUP unsigned long long size() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
    }
    CW_GROUP dim3 group_dim() const
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }

  private:
    unsigned long long word_;
};
CW_GROUP grid_group this_grid()
{
    return grid_group();
}

} // namespace cooperative_groups

#undef CW_GROUP

#endif
