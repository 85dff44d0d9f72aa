/* libyaml: the parser makes tokens of a short text, or reports where it is wrong. */
#include <assert.h>
#include "yaml.h"

#ifndef LENGTH
#define LENGTH 1
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char text[LENGTH];
    yaml_parser_t parser;
    yaml_token_t token;

    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_uchar();
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, text, LENGTH);
    if (yaml_parser_scan(&parser, &token)) {
        assert(token.type == YAML_STREAM_START_TOKEN);
        yaml_token_delete(&token);
    }
#ifdef SECOND
    if (yaml_parser_scan(&parser, &token))
        assert(token.type == YAML_STREAM_END_TOKEN);
#endif
    yaml_parser_delete(&parser);
    return 0;
}
