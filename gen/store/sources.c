/* SPDX-License-Identifier: MIT */
#include "gen/store/sources.h"

#include <string.h>

#include "base/map.h"

#ifndef CW_SOURCES_HASH
#error "the Makefile says which sources make numbers"
#endif

const char *sources_hash(void)
{
    return CW_SOURCES_HASH;
}

uint64_t sources_number(void)
{
    return map_hash_bytes(CW_SOURCES_HASH, strlen(CW_SOURCES_HASH), 0);
}
