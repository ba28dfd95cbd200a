/* SPDX-License-Identifier: MIT
 *
 * Thrust and CUB, which are Debian's packages: vectors, a sum, an order, a block's own scan. */
#include <cub/block/block_scan.cuh>
#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

struct square_below {
    int limit;
    __host__ __device__ int operator()(int x) const
    {
        return x * x % limit;
    }
};

__global__ void places(const int *wanted, int *place, int *total)
{
    using scan = cub::BlockScan<int, 64>;
    __shared__ typename scan::TempStorage room;
    int mine, all;
    scan(room).ExclusiveSum(wanted[threadIdx.x], mine, all);
    place[threadIdx.x] = mine;
    if (threadIdx.x == 0)
        *total = all;
}

int main()
{
    const int n = 1000;
    thrust::device_vector<int> a(n), b(n);
    thrust::sequence(a.begin(), a.end());
    thrust::transform(a.begin(), a.end(), b.begin(), square_below{97});
    long expected = 0, sum = thrust::inner_product(a.begin(), a.end(), b.begin(), 0L);
    for (long i = 0; i < n; i++)
        expected += i * (i * i % 97);
    printf("inner product: %ld, expected %ld\n", sum, expected);

    thrust::device_vector<int> place(64), total(1);
    places<<<1, 64>>>(thrust::raw_pointer_cast(b.data()), thrust::raw_pointer_cast(place.data()),
                      thrust::raw_pointer_cast(total.data()));
    int wrong = 0, before = 0;
    for (int i = 0; i < 64; i++) {
        wrong += place[i] != before;
        before += i * i % 97;
    }
    printf("places: %d wrong, total %d, expected %d\n", wrong, (int)total[0], before);
    return wrong;
}
