/* SPDX-License-Identifier: MIT */
#include "gen/config/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "gen/config/keys.h"
#include "gen/config/setting.h"

static const char *settings_path(struct arena *mem)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0])
        return path_join(mem, xdg, "crosswatt/settings.cfg");
    return home && home[0] ? path_join(mem, home, ".config/crosswatt/settings.cfg") : "";
}

static bool read_setting(const config_setting_t *s, struct arena *mem, struct settings *out,
                         struct err *err)
{
    const char *path = setting_path(s, mem);
    struct where at = {out->file, (int)config_setting_source_line(s), path};
    bool is_text = config_setting_type(s) == CONFIG_TYPE_STRING;
    if (strcmp(path, "allow_tools") == 0 && config_setting_type(s) == CONFIG_TYPE_BOOL)
        out->allow_tools = config_setting_get_bool(s);
    else if (strcmp(path, "energy.dsent_path") == 0 && is_text)
        out->dsent = (struct settings_tool){arena_strdup(mem, config_setting_get_string(s)), at};
    else if (strcmp(path, "energy.cacti_path") == 0 && is_text)
        out->cacti = (struct settings_tool){arena_strdup(mem, config_setting_get_string(s)), at};
    else
        return err_add(err, ERR_INPUT, at,
                       "the settings are allow_tools (true or false), energy.dsent_path and "
                       "energy.cacti_path (texts)");
    return true;
}

bool settings_read(struct arena *mem, struct settings *out, struct err *err)
{
    config_t config;
    *out = (struct settings){.file = settings_path(mem), .dsent.program = "", .cacti.program = ""};
    if (!out->file[0] || !file_exists(out->file))
        return true;
    bool ok = setting_read(out->file, mem, &config, err);
    const config_setting_t *root = ok ? config_root_setting(&config) : NULL;
    for (int i = 0; ok && i < config_setting_length(root); i++) {
        const config_setting_t *s = config_setting_get_elem(root, (unsigned)i);
        if (!config_setting_is_group(s)) {
            ok &= read_setting(s, mem, out, err);
            continue;
        }
        for (int k = 0; k < config_setting_length(s); k++)
            ok &= read_setting(config_setting_get_elem(s, (unsigned)k), mem, out, err);
    }
    config_destroy(&config);
    return ok;
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool choose(struct arch *arch, const char *path, const char **program,
                   const struct settings_tool *own, const struct settings *settings,
                   bool allow_tools, struct err *err)
{
    int net;
    const struct key *key = key_find(path, &net);
    const struct origin *o = key_origin(key, arch, 0);
    if (!key_is_used(key, arch, 0) || o->kind == ORIGIN_COMMAND_LINE)
        return true;
    if (!**program) {
        if (own->program[0]) {
            *program = own->program;
            arch->origins[key - keys][0] = (struct origin){.kind = ORIGIN_FILE, .at = own->at};
        }
        return true;
    }
    if (allow_tools || settings->allow_tools || strcmp(*program, own->program) == 0)
        return true;
    err_add(err, ERR_INPUT, o->at, "'%s': a description alone may not name a program to run",
            *program);
    err_note(err, NOWHERE, "--allow-tools lets it; or say --set %s=…, or put it into %s", path,
             settings->file[0] ? settings->file : "crosswatt/settings.cfg of XDG_CONFIG_HOME");
    return false;
}

bool settings_choose_tools(struct arch *arch, bool allow_tools, struct arena *mem, struct err *err)
{
    struct settings s;
    struct energy_params *e = &arch->energy;
    if (e->network != NETWORK_BY_dsent && e->arrays != ARRAYS_BY_cacti)
        return true;
    if (!settings_read(mem, &s, err))
        return false;
    bool ok = choose(arch, "energy.dsent_path", &e->dsent_program, &s.dsent, &s, allow_tools, err);
    return choose(arch, "energy.cacti_path", &e->cacti_program, &s.cacti, &s, allow_tools, err) &&
           ok;
}
