/* SPDX-License-Identifier: MIT
 *
 * What a program that calls itself dsent may print. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "energy/tool/dsent_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    double v = 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (dsent_value(text, "CK", &v) && !isfinite(v))
        abort();
    if (dsent_value(text, "Energy>>Router:WriteBuffer", &v) && !isfinite(v))
        abort();
    if (dsent_warning(text, "Timing not met", "Slack = ", &v) && !isfinite(v))
        abort();
    free(text);
    return 0;
}
