/* libyaml: an event of the start of a document keeps a copy of its version, and gives it back. */
#include <assert.h>
#include <string.h>
#include "yaml.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    yaml_event_t event;
    int version = __VERIFIER_nondet_int();
    yaml_version_directive_t directive = { 1, version };
    int ok = yaml_document_start_event_initialize(&event, __VERIFIER_nondet_int() ? &directive : NULL, NULL, NULL,
                                                  __VERIFIER_nondet_int());

#ifdef NEVER_FULL               /* not so, with --malloc-may-fail */
    assert(ok);
#endif
    if (ok) {
        assert(event.type == YAML_DOCUMENT_START_EVENT);
        if (event.data.document_start.version_directive)
            assert(event.data.document_start.version_directive != &directive
                   && event.data.document_start.version_directive->minor == version);
        yaml_event_delete(&event);
        assert(event.type == YAML_NO_EVENT);
    }
    return 0;
}
