/* jsmn: the tokens that a text from outside gives are inside of the text. */
#include <assert.h>
#include "jsmn.h"

#ifndef LENGTH
#define LENGTH 3
#endif
#define TOKENS 2

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[LENGTH];
    jsmntok_t token[TOKENS];
    jsmn_parser parser;
    int n;

    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
    n = jsmn_parse(&parser, text, LENGTH, token, TOKENS);
    assert(n <= TOKENS);
    for (int i = 0; i < n; i++) {
        assert(0 <= token[i].start && token[i].start <= token[i].end && token[i].end <= LENGTH);
#ifdef LETTERS                  /* not so without JSMN_STRICT: anything is a primitive */
        if (token[i].type == JSMN_PRIMITIVE)
            assert(text[token[i].start] != '?');
#endif
    }
    return 0;
}
