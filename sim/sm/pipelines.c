/* SPDX-License-Identifier: MIT */
#include "sim/sm/pipeline.h"

#define X(word) [PIPELINE_##word] = &pipeline_##word,
const struct pipeline *const pipelines[] = {SM_PIPELINES(X)};
#undef X
