/* SPDX-License-Identifier: MIT
 *
 * What tests/data/cuda/linked_a.cu and linked_b.cu share. */
#ifndef LINKED_H
#define LINKED_H

extern __device__ int calls;      /* of b */
extern __constant__ int table[4]; /* of b */
__device__ int scaled(int x);     /* of b */
__device__ int (*chosen(int which))(int);
int of_b(int x);
void set_table(const int *four);
int get_calls();

/* in both files, under one name */
template <typename T> __global__ void store(T *to, T what)
{
    *to = what;
}
static __device__ int own_total = 7;
static __device__ int own(int x);

#endif
