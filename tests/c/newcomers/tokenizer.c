#include <assert.h>
#include <string.h>
#include <ctype.h>
extern char __VERIFIER_nondet_char(void);
enum kind { END, NUMBER, NAME, OTHER };
static enum kind next(const char **p, int *length)
{
    while (**p == ' ')
        (*p)++;
    const char *start = *p;
    enum kind k;
    if (!**p)
        k = END;
    else if (isdigit((unsigned char)**p)) {
        while (isdigit((unsigned char)**p))
            (*p)++;
        k = NUMBER;
    } else if (isalpha((unsigned char)**p)) {
        while (isalnum((unsigned char)**p))
            (*p)++;
        k = NAME;
    } else {
        (*p)++;
        k = OTHER;
    }
    *length = *p - start;
    return k;
}
int main(void)
{
    char text[5];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    text[4] = '\0';
    const char *p = text;
    int length, total = 0, tokens = 0;
    while (next(&p, &length) != END) {
        assert(length >= 1);
        total += length;
        tokens++;
    }
    assert(tokens <= 4 - BUG);
    assert(total <= (int)strlen(text));
    return 0;
}
