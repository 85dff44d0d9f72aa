/* cJSON: an array has as many elements as were added to it and not deleted. */
#include <assert.h>
#include <stddef.h>
#include "cJSON.h"

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    cJSON *array = cJSON_CreateArray();
    int n = 0;

    for (int i = 0; i < 3; i++)
        if (__VERIFIER_nondet_int()) {
            assert(cJSON_AddItemToArray(array, cJSON_CreateNull()));
            n++;
        }
    assert(cJSON_GetArraySize(array) == n);
#ifdef OFF_BY_ONE               /* elements are counted from 0 */
    cJSON_DeleteItemFromArray(array, n);
#else
    cJSON_DeleteItemFromArray(array, n - 1);
#endif
    assert(cJSON_GetArraySize(array) == (n > 0 ? n - 1 : 0));
    cJSON_Delete(array);
    return 0;
}
