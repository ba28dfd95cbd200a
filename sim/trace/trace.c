/* SPDX-License-Identifier: MIT */
#include "sim/trace/trace.h"

const char *trace_class_name(enum trace_class cls)
{
    static const char *const names[TC_COUNT] = {
#define X(id, name, meaning) [TC_##id] = name,
        TRACE_CLASSES(X)
#undef X
    };
    return (unsigned)cls < TC_COUNT ? names[cls] : "unknown";
}
