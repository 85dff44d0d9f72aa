/* http-parser: the parts of a URL are inside of it. */
#include <assert.h>
#include "http_parser.h"

#ifndef LENGTH
#define LENGTH 3
#endif

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[LENGTH];
    struct http_parser_url url;

    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    http_parser_url_init(&url);
    if (http_parser_parse_url(text, LENGTH, 0, &url) == 0) {
        assert(url.field_set != 0);
        for (int f = 0; f < UF_MAX; f++)
            if (url.field_set & 1 << f)
                assert(url.field_data[f].off + url.field_data[f].len <= LENGTH);
#ifdef NO_EMPTY                 /* not so: "*" and "/" are URLs without a host */
        assert(url.field_set & 1 << UF_HOST);
#endif
    }
    return 0;
}
