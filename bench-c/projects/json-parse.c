/* cJSON: a text of a few characters from outside is parsed, and an item of a known type comes out. */
#include <assert.h>
#include <stddef.h>
#include "cJSON.h"

#ifndef LENGTH
#define LENGTH 2
#endif

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[LENGTH + 1];
    cJSON *item;

    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = 0;
    item = cJSON_Parse(text);
    if (item != NULL) {
#ifdef NO_ARRAY                 /* not so: "[]" */
        assert(!cJSON_IsArray(item));
#else
        assert(!cJSON_IsInvalid(item));
#endif
        cJSON_Delete(item);
    }
    return 0;
}
