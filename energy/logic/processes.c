/* SPDX-License-Identifier: MIT */
#include "energy/logic/processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"

const struct logic_tech *logic_techs_named(const struct logic_techs *techs, const char *name)
{
    for (size_t i = 0; i < techs->n; i++)
        if (strcmp(techs->at[i].name, name) == 0)
            return &techs->at[i];
    return NULL;
}

bool logic_techs_cover(const struct logic_techs *techs, double node_nm)
{
    return techs->n && node_nm <= techs->at[0].node_nm &&
           node_nm >= techs->at[techs->n - 1].node_nm;
}

bool logic_techs_node(const struct logic_techs *techs, double node_nm, struct logic_tech *out,
                      struct err *err)
{
    for (size_t i = 0; i < techs->n; i++)
        if (techs->at[i].node_nm == node_nm) {
            *out = techs->at[i];
            return true;
        }
    for (size_t i = 0; i + 1 < techs->n; i++)
        if (node_nm < techs->at[i].node_nm && node_nm > techs->at[i + 1].node_nm)
            return logic_tech_between(&techs->at[i], &techs->at[i + 1], node_nm, out, err);
    return err_add(err, ERR_INPUT, (struct where){NULL, 0, "tech.node"},
                   "%g nm is outside the modelled range %g..%g nm", node_nm,
                   techs->at[techs->n - 1].node_nm, techs->at[0].node_nm);
}

bool logic_techs_find(const struct logic_techs *techs, const char *text, struct where at,
                      struct logic_tech *out, struct err *err)
{
    const struct logic_tech *named = logic_techs_named(techs, text);
    if (named) {
        *out = *named;
        return true;
    }
    char *end;
    double node = strtod(text, &end);
    if (end != text && (*end == '\0' || strcmp(end, "nm") == 0 || strcmp(end, " nm") == 0) &&
        isfinite(node)) {
        if (node >= techs->at[techs->n - 1].node_nm && node <= techs->at[0].node_nm)
            return logic_techs_node(techs, node, out, err);
        return err_add(err, ERR_INPUT, at, "%g nm is outside the modelled range %g..%g nm", node,
                       techs->at[techs->n - 1].node_nm, techs->at[0].node_nm);
    }
    const char *names[8];
    for (size_t i = 0; i < techs->n; i++)
        names[i] = techs->at[i].name;
    const char *near = near_best(text, names, techs->n);
    if (near)
        return err_add(err, ERR_INPUT, at, "unknown technology '%s'; did you mean '%s'?", text,
                       near);
    return err_add(err, ERR_INPUT, at,
                   "unknown technology '%s'; known are %s, %s, %s, %s and nodes from 11 to 45 nm",
                   text, names[0], names[1], names[2], names[3]);
}
