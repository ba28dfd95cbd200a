/* SPDX-License-Identifier: MIT */
#include "energy/gpuwattch/xml.h"

#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"

#define DEEPEST 32u
#define MOST_BYTES ((size_t)16 << 20)

struct reader {
    XML_Parser parser;
    const char *file;
    struct arena *mem;
    struct err *err;
    struct xml_component *root, *open; /* innermost open component */
    unsigned depth;
    bool in_leaf; /* inside <param> or <stat>, which have no content */
    bool ok;
};

static struct where here(const struct reader *r, const char *key)
{
    return (struct where){r->file, (int)XML_GetCurrentLineNumber(r->parser), key};
}

static void stop(struct reader *r)
{
    r->ok = false;
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2) {
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    }
    return NULL;
}

static void begin_component(struct reader *r, const char **attributes)
{
    const char *id = attribute(attributes, "id"), *name = attribute(attributes, "name");
    if (!id || !name) {
        err_add(r->err, ERR_INPUT, here(r, NULL), "a component needs the attributes id and name");
        stop(r);
        return;
    }
    if (++r->depth > DEEPEST) {
        err_add(r->err, ERR_INPUT, here(r, id), "components are nested more than %u deep", DEEPEST);
        stop(r);
        return;
    }
    struct xml_component *c = arena_new(r->mem, struct xml_component);
    c->id = arena_strdup(r->mem, id);
    c->name = arena_strdup(r->mem, name);
    c->line = (int)XML_GetCurrentLineNumber(r->parser);
    c->parent = r->open;
    if (!r->open) {
        r->root = c;
    } else {
        struct xml_component **link = &r->open->children;
        while (*link) {
            if (strcmp((*link)->id, id) == 0) {
                err_add(r->err, ERR_INPUT, here(r, id), "there are two components of this id");
                r->ok = false;
            }
            link = &(*link)->next;
        }
        *link = c;
    }
    r->open = c;
}

static void add_value(struct reader *r, bool is_stat, const char **attributes)
{
    const char *name = attribute(attributes, "name"), *text = attribute(attributes, "value");
    if (!name || !text || !r->open) {
        err_add(r->err, ERR_INPUT, here(r, name), "a %s needs name and value, inside a component",
                is_stat ? "stat" : "param");
        r->ok = false;
        return;
    }
    struct xml_value **link = &r->open->values;
    for (; *link; link = &(*link)->next) {
        if ((*link)->is_stat == is_stat && strcmp((*link)->name, name) == 0 &&
            strcmp((*link)->text, text) != 0) {
            err_add(r->err, ERR_INPUT, here(r, name), "%s has another value here than above",
                    r->open->id);
            err_note(r->err, AT_LINE(r->file, (*link)->line), "first given here");
            r->ok = false;
            return;
        }
    }
    struct xml_value *v = arena_new(r->mem, struct xml_value);
    v->name = arena_strdup(r->mem, name);
    v->text = arena_strdup(r->mem, text);
    v->line = (int)XML_GetCurrentLineNumber(r->parser);
    v->is_stat = is_stat;
    *link = v;
}

static void begin(void *ctx, const char *element, const char **attributes)
{
    struct reader *r = ctx;
    if (r->in_leaf) {
        err_add(r->err, ERR_INPUT, here(r, NULL), "<%s> inside a param or stat", element);
        stop(r);
    } else if (strcmp(element, "component") == 0) {
        begin_component(r, attributes);
    } else if (strcmp(element, "param") == 0 || strcmp(element, "stat") == 0) {
        r->in_leaf = true;
        add_value(r, element[0] == 's', attributes);
    } else {
        static const char *const legal[] = {"component", "param", "stat"};
        const char *near = near_best(element, legal, 3);
        err_add(r->err, ERR_INPUT, here(r, NULL), "unknown element <%s>%s%s%s", element,
                near ? "; did you mean <" : "", near ? near : "", near ? ">?" : "");
        stop(r);
    }
}

static void end(void *ctx, const char *element)
{
    struct reader *r = ctx;
    if (strcmp(element, "component") == 0) {
        r->open = r->open ? r->open->parent : NULL;
        r->depth--;
    } else {
        r->in_leaf = false;
    }
}

/* Entities could expand without end; the format has no use for them. */
static void refuse_entity(void *ctx, const char *name, int is_parameter, const char *value, int n,
                          const char *base, const char *system, const char *public_id,
                          const char *notation)
{
    struct reader *r = ctx;
    (void)is_parameter, (void)value, (void)n, (void)base;
    (void)system, (void)public_id, (void)notation;
    if (r->ok)
        err_add(r->err, ERR_INPUT, here(r, NULL), "entity '%s' is declared: entities are refused",
                name);
    stop(r);
}

bool xml_parse(const char *file, const char *text, size_t n, struct arena *mem,
               struct xml_component **root, struct err *err)
{
    if (n > MOST_BYTES)
        return err_add(err, ERR_INPUT, AT_FILE(file), "is larger than %zu bytes", MOST_BYTES);
    struct reader r = {.file = file, .mem = mem, .err = err, .ok = true};
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser)
        return err_add(err, ERR_MACHINE, AT_FILE(file), "no XML reader");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    XML_SetEntityDeclHandler(r.parser, refuse_entity);
    struct err_entry *before = err->last;
    if (XML_Parse(r.parser, text, (int)n, 1) != XML_STATUS_OK && r.ok) {
        enum XML_Error why = XML_GetErrorCode(r.parser);
        err_add(err, why == XML_ERROR_NO_MEMORY ? ERR_MACHINE : ERR_INPUT, here(&r, NULL), "%s",
                XML_ErrorString(why));
        r.ok = err_is_foreign(err, before);
    }
    XML_ParserFree(r.parser);
    if (r.ok)
        *root = r.root;
    return r.ok;
}

bool xml_read(const char *path, struct arena *mem, struct xml_component **root, struct err *err)
{
    char *text;
    size_t n;
    return file_read(path, MOST_BYTES, mem, &text, &n, err) &&
           xml_parse(arena_strdup(mem, path), text, n, mem, root, err);
}

const struct xml_component *xml_find(const struct xml_component *root, const char *id)
{
    if (strcmp(root->id, id) == 0)
        return root;
    for (const struct xml_component *c = root->children; c; c = c->next) {
        const struct xml_component *found = xml_find(c, id);
        if (found)
            return found;
    }
    return NULL;
}

const struct xml_value *xml_param(const struct xml_component *c, const char *name)
{
    for (const struct xml_value *v = c->values; v; v = v->next) {
        if (!v->is_stat && strcmp(v->name, name) == 0)
            return v;
    }
    return NULL;
}

bool xml_number(const char *file, const struct xml_value *v, double *out, struct err *err)
{
    char *end;
    double number = strtod(v->text, &end);
    bool has_number = end != v->text;
    if (*end == 'f' || *end == 'F')
        end++;
    while (*end == ' ' || *end == '\t')
        end++;
    if (!has_number || *end || !isfinite(number))
        return err_add(err, ERR_INPUT, (struct where){file, v->line, v->name},
                       "expected a number, found '%s'", v->text);
    *out = number;
    return true;
}
