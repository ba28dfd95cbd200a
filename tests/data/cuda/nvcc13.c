/* SPDX-License-Identifier: MIT
 *
 * Asks for the device as programs of nvcc 13 do: their structure has its fields at other places
 * than that of our header. */
#include <stdio.h>
#include <string.h>

int cudaGetDeviceProperties(void *prop, int device);

static int int_at(const char *prop, int at)
{
    int v;
    memcpy(&v, prop + at, sizeof v);
    return v;
}

int main(void)
{
    char prop[1008];
    int other = cudaGetDeviceProperties(prop, 1), own = cudaGetDeviceProperties(prop, 0);
    printf("nvcc 13: %d %d %s, %d SMs of %d threads, L2 of %d bytes, at most %d CTAs\n", other, own,
           prop, int_at(prop, 384), int_at(prop, 604), int_at(prop, 596), int_at(prop, 688));
    return 0;
}
