#include <assert.h>
#include <stdio.h>
int main(void)
{
    int age = 0;
    printf("Your age? ");
    if (scanf("%d", &age) != 1) {
        fprintf(stderr, "not a number\n");
        return 1;
    }
    if (age < 0 || age > 150)
        return 1;
    int days = age * 365 + age / 4;
    assert(days >= 0);
    assert(days < 54787 + 1 - BUG);
    printf("%d days\n", days);
    return 0;
}
