/* SPDX-License-Identifier: MIT
 *
 * gen/store/schema.h: the tables of a file of results. Hashes are 16 hexadecimal digits.
 * docs/results.md says what each column means. A change of a table raises STORE_SCHEMA. */
#ifndef CW_GEN_STORE_SCHEMA_H
#define CW_GEN_STORE_SCHEMA_H

#define STORE_SCHEMA 2
#define STORE_APPLICATION 0x43574154 /* "CWAT": tells the file from other SQLite files */

/* X(table, columns, indexes) */
#define STORE_TABLES(X)                                                                            \
    X("provenance", "id TEXT PRIMARY KEY, version TEXT, sources TEXT, command TEXT, host TEXT, "   \
                    "begun TEXT")                                                                  \
    X("description", "hash TEXT PRIMARY KEY, text TEXT")                                           \
    X("design", "id TEXT PRIMARY KEY, hash TEXT, name TEXT, description TEXT, changes TEXT, "      \
                "error TEXT, figures TEXT, provenance TEXT")                                       \
    X("component", "design TEXT, number INTEGER, name TEXT, part TEXT, kind TEXT, "                \
                   "instances REAL, engine TEXT, model TEXT, technology TEXT, area_mm2 REAL, "     \
                   "wire_area_mm2 REAL, leakage_w REAL, fmax_ghz REAL, access_ns REAL, "           \
                   "PRIMARY KEY (design, number)")                                                 \
    X("workload", "hash TEXT PRIMARY KEY, name TEXT, preset TEXT")                                 \
    X("statistic", "name TEXT PRIMARY KEY, unit TEXT")                                             \
    X("result", "key TEXT PRIMARY KEY, design TEXT, workload TEXT, window INTEGER, "               \
                "seconds REAL, statistics TEXT, parts TEXT, links BLOB, sum TEXT, "                \
                "provenance TEXT")                                                                 \
    X("failure", "key TEXT PRIMARY KEY, design TEXT, workload TEXT, window INTEGER, "              \
                 "error TEXT, provenance TEXT")                                                    \
    X("point", "space TEXT, design TEXT, settings TEXT, PRIMARY KEY (space, design)")              \
    X("promotion", "space TEXT, design TEXT, fidelity TEXT, round INTEGER, why TEXT, "             \
                   "PRIMARY KEY (space, design, fidelity)")                                        \
    X("told", "space TEXT, design TEXT, name TEXT, value REAL, "                                   \
              "PRIMARY KEY (space, design, name)")

/* Statistics, figures and energies as rows. They are kept as texts, a row for each run: merging
 * copies one row instead of a hundred. */
#define STORE_VIEWS                                                                                \
    "CREATE VIEW IF NOT EXISTS value AS SELECT result.key AS result, json_each.key AS name, "      \
    "json_each.value AS value, statistic.unit AS unit FROM result, json_each(result.statistics) "  \
    "LEFT JOIN statistic ON statistic.name = json_each.key;"                                       \
    "CREATE VIEW IF NOT EXISTS figure AS SELECT design.id AS design, json_each.key AS name, "      \
    "json_each.value AS value FROM design, json_each(design.figures);"                             \
    "CREATE VIEW IF NOT EXISTS energy AS SELECT result.key AS result, json_each.key AS number, "   \
    "json_extract(json_each.value, '$[0]') AS part, "                                              \
    "json_extract(json_each.value, '$[1]') AS dynamic_j, "                                         \
    "json_extract(json_each.value, '$[2]') AS leakage_j, "                                         \
    "json_extract(json_each.value, '$[3]') AS total_j, "                                           \
    "json_extract(json_each.value, '$[4]') AS area_mm2, "                                          \
    "json_extract(json_each.value, '$[5]') AS wire_area_mm2 "                                      \
    "FROM result, json_each(result.parts);"

#endif
