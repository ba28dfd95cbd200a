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

const char *trace_space_name(enum trace_space space)
{
    static const char *const names[TS_COUNT] = {
        [TS_NONE] = "none",   [TS_GLOBAL] = "global", [TS_SHARED] = "shared",
        [TS_LOCAL] = "local", [TS_CONST] = "const",   [TS_TEXTURE] = "texture",
        [TS_PARAM] = "param",
    };
    return (unsigned)space < TS_COUNT ? names[space] : "unknown";
}
