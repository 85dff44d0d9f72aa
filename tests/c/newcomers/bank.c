#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int balance = 100;
static int limit = -50;
int withdraw(int amount)
{
    if (amount <= 0)
        return 0;
    if (balance - amount < limit - BUG)
        return 0;
    balance -= amount;
    return 1;
}
void deposit(int amount)
{
    if (amount <= 0 || amount > 1000 || balance > 1000000)
        return;
    balance += amount;
}
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int amount = __VERIFIER_nondet_int();
        if (amount > 5000)
            continue;
        if (__VERIFIER_nondet_int())
            deposit(amount);
        else
            withdraw(amount);
        assert(balance >= limit);
    }
    return 0;
}
