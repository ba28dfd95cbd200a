/* SPDX-License-Identifier: MIT
 *
 * base/printable.h: text from outside that is shown to somebody or written into a file of another
 * kind.
 */
#ifndef CW_BASE_PRINTABLE_H
#define CW_BASE_PRINTABLE_H

struct arena;

/* With control characters and bytes that are no UTF-8 written out: \n, \t, \x1b. The text itself
 * where there are none. */
const char *printable_text(struct arena *mem, const char *text);

#endif
