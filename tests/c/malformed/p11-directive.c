#include <assert.h>
#define N 3
int main(void) {
  return N;
}
