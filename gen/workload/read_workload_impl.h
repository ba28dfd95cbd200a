/* SPDX-License-Identifier: MIT
 *
 * gen/workload/read_workload_impl.h: what the files of the workload reader share. Nobody else
 * includes this. */
#ifndef CW_GEN_WORKLOAD_READ_WORKLOAD_IMPL_H
#define CW_GEN_WORKLOAD_READ_WORKLOAD_IMPL_H

#include <libconfig.h>

#include "gen/workload/read_workload.h"

#define WORKLOAD_MAX_LOOPS 16

struct workload_reader {
    const struct workload_request *request;
    const char *file, *dir;
    struct arena *mem;
    struct err *err;
    struct workload *w;
    /* names of whole numbers: parameters, then loop indices */
    const char **names;
    int64_t *values;
    struct workload_scope scope;
    int depth;
    bool ok;
};

/* Adds an error at the setting and notes the failure; false. */
bool wr_fail(struct workload_reader *r, const config_setting_t *s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
struct where wr_at(const struct workload_reader *r, const config_setting_t *s);
/* Every member of `group` must be one of `keys` (NULL-terminated). */
void wr_check_keys(struct workload_reader *r, const config_setting_t *group,
                   const char *const *keys, const char *what);

bool wr_number(struct workload_reader *r, const config_setting_t *s, struct workload_number *out);
/* A whole number or a text with an expression: checked for names, kept as text. */
bool wr_expr(struct workload_reader *r, const config_setting_t *s, struct workload_expr *out);
bool wr_expr_text(struct workload_reader *r, const config_setting_t *s, const char *text,
                  struct workload_expr *out);
/* The same, evaluated now. */
bool wr_int(struct workload_reader *r, const config_setting_t *s, int64_t *out);
const char *wr_string(struct workload_reader *r, const config_setting_t *s); /* NULL: no text */
/* The index of `text` among `words` (NULL-terminated), or -1 and an error. */
int wr_word(struct workload_reader *r, const config_setting_t *s, const char *const *words);
/* A buffer by name; UINT32_MAX and an error where there is none. */
uint32_t wr_buffer(struct workload_reader *r, const config_setting_t *s, const char *name);
/* "name" or "name[expr]": false if it does not have that form, or the name is not a buffer. */
bool wr_element(struct workload_reader *r, const config_setting_t *s, const char *text,
                uint32_t *buffer, struct workload_expr *element, bool *failed);

/* A real expression, behind '=', that is evaluated later: checked. `n_buffers` may be asked. */
bool wr_check_real(struct workload_reader *r, const config_setting_t *s, const char *text,
                   size_t n_buffers, bool has_element, bool has_results);
/* An argument of a kernel: a number, an address, a list of a structure's members. */
void wr_args(struct workload_reader *r, const config_setting_t *s, struct workload_step *step);
/* A list of elements of buffers; all buffers are known. */
void wr_addresses(struct workload_reader *r, const config_setting_t *group,
                  struct workload_buffer *b);
int wr_type(const char *name, size_t n); /* enum ref_type, or -1 */

void wr_buffers(struct workload_reader *r, const config_setting_t *list);
void wr_steps(struct workload_reader *r, const config_setting_t *list,
              const struct workload_step **out, size_t *n);

#endif
