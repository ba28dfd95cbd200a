/* SPDX-License-Identifier: MIT
 *
 * References of ciphers and hashes, byte by byte after the standards. */
#include "sim/reference/reference.h"

#include <math.h>
#include <string.h>

/* ---- AES-128, FIPS 197 ----------------------------------------------------------------------- */

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (int i = 0; i < 8; i++) {
        if (b >> i & 1)
            product ^= a;
        a = (uint8_t)(a << 1 ^ (a >> 7 ? 0x1b : 0));
    }
    return product;
}

static uint8_t substitute(uint8_t x)
{
    uint8_t inverse = 1, s = 0;
    for (int i = 0; i < 254; i++) /* x^254 is the inverse */
        inverse = times(inverse, x);
    for (int bit = 0; bit < 8; bit++) {
        int sum = 0x63 >> bit & 1;
        for (int k = 0; k < 5; k++)
            sum ^= inverse >> ((bit + (k ? k + 3 : 0)) % 8) & 1;
        s |= (uint8_t)(sum << bit);
    }
    return s;
}

/* Row r, column c of the state is byte r + 4c. */
static void encrypt(const uint8_t sbox[256], const uint8_t *keys, uint8_t s[16])
{
    for (int i = 0; i < 16; i++)
        s[i] ^= keys[i];
    for (int round = 1; round <= 10; round++) {
        uint8_t t[16];
        for (int i = 0; i < 16; i++) /* substitution, and row r moved left by r */
            t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
        for (int i = 0; i < 16; i++) {
            const uint8_t *column = t + i / 4 * 4;
            int r = i % 4;
            s[i] = round == 10 ? t[i]
                               : (uint8_t)(times(column[r], 2) ^ times(column[(r + 1) % 4], 3) ^
                                           column[(r + 2) % 4] ^ column[(r + 3) % 4]);
            s[i] ^= keys[16 * round + i];
        }
    }
}

static void expand(const uint8_t sbox[256], const uint8_t key[16], uint8_t keys[176])
{
    uint8_t constant = 1;
    memcpy(keys, key, 16);
    for (int i = 16; i < 176; i += 4) {
        uint8_t w[4];
        for (int k = 0; k < 4; k++)
            w[k] = i % 16 ? keys[i - 4 + k] : sbox[keys[i - 4 + (k + 1) % 4]];
        if (i % 16 == 0) {
            w[0] ^= constant;
            constant = times(constant, 2);
        }
        for (int k = 0; k < 4; k++)
            keys[i + k] = keys[i - 16 + k] ^ w[k];
    }
}

static void check_aes(struct ref *r)
{
    int64_t n = 64 * ref_int(r, "blocks", 1, 1 << 20);
    const uint32_t *in = ref_in(r, "in", REF_U32, (uint64_t)(4 * n));
    const uint32_t *key = ref_in(r, "key", REF_U32, 4);
    double *want = ref_scratch(r, (uint64_t)(4 * n), sizeof *want);
    uint8_t sbox[256], keys[176], s[16];
    for (int x = 0; x < 256; x++)
        sbox[x] = substitute((uint8_t)x);
    memcpy(s, key, 16);
    expand(sbox, s, keys);
    for (int64_t i = 0; i < n; i++) {
        uint32_t words[4];
        memcpy(s, in + 4 * i, 16);
        encrypt(sbox, keys, s);
        memcpy(words, s, 16);
        for (int k = 0; k < 4; k++)
            want[4 * i + k] = words[k];
    }
    ref_expect(r, "out", want, (uint64_t)(4 * n), 0, 0);
}

const struct reference ref_aes = {"aes", "AES-128 of every block, byte by byte; exact", check_aes};

/* ---- MD5, RFC 1321 --------------------------------------------------------------------------- */

static uint32_t turned(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static void md5_part(uint32_t h[4], const uint32_t m[16])
{
    static const int turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const int step[4] = {1, 5, 3, 7}, first[4] = {0, 1, 5, 0};
    uint32_t v[4] = {h[0], h[1], h[2], h[3]};
    for (int i = 0; i < 64; i++) {
        int round = i / 16;
        uint32_t b = v[1], c = v[2], d = v[3], f;
        f = round == 0   ? d ^ (b & (c ^ d))
            : round == 1 ? c ^ (d & (b ^ c))
            : round == 2 ? b ^ c ^ d
                         : c ^ (b | ~d);
        f += v[0] + (uint32_t)floor(fabs(sin(i + 1)) * 4294967296.0) +
             m[(step[round] * i + first[round]) % 16];
        v[0] = d;
        v[3] = c;
        v[2] = b;
        v[1] = b + turned(f, turns[round][i % 4]);
    }
    for (int k = 0; k < 4; k++)
        h[k] += v[k];
}

static void check_sto(struct ref *r)
{
    int64_t n = 128 * ref_int(r, "blocks", 1, 1 << 20), words = ref_int(r, "words", 16, 1 << 16);
    const uint32_t *data = ref_in(r, "data", REF_U32, (uint64_t)(n * words));
    double *want = ref_scratch(r, (uint64_t)(4 * n), sizeof *want);
    if (!ref_require(r, words % 16 == 0, "words is not a multiple of 16"))
        return;
    for (int64_t i = 0; i < n; i++) {
        uint32_t h[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
        uint32_t end[16] = {[0] = 128, [14] = (uint32_t)(32 * words)};
        for (int64_t at = 0; at < words; at += 16)
            md5_part(h, data + i * words + at);
        md5_part(h, end);
        for (int k = 0; k < 4; k++)
            want[4 * i + k] = h[k];
    }
    ref_expect(r, "hashes", want, (uint64_t)(4 * n), 0, 0);
}

const struct reference ref_sto = {"sto", "MD5 of every chunk; exact", check_sto};
