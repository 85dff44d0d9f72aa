// both: as the drivers that CIL writes out (names); unsafe with
// if (b.Length != 0) { errorFn(); } ==> if (b.Length == 0) { errorFn(); }
#include "driver.h"
extern void *ExAllocatePool(int PoolType , ULONG NumberOfBytes ) ;
extern void *memset(void * , int , unsigned int ) ;
NTSTATUS CopyName(PUNICODE_STRING to , PUNICODE_STRING from )
{ USHORT i ; PWSTR p ; PWSTR q ;
  {
  if ((int )from->Length > (int )to->MaximumLength) { return (-1073741789L); }
  i = 0;
  p = from->Buffer;
  q = to->Buffer;
  while ((int )i < (int )from->Length / 2) {
    *q = *p;
    q ++;
    p ++;
    i = (USHORT )((int )i + 1);
  }
  to->Length = from->Length;
  return (0L);
}
}
int main(void)
{ UNICODE_STRING a ; UNICODE_STRING b ; unsigned short text[4] ; NTSTATUS st ; int n = __VERIFIER_nondet_int() ;
  {
  _BLAST_init();
  text[0] = 92; text[1] = 68; text[2] = 101; text[3] = 0;
  a.Buffer = text;
  a.Length = n == 1 ? 8 : 6;
  a.MaximumLength = 8;
  b.MaximumLength = 6;
  b.Length = 0;
  b.Buffer = (PWSTR )ExAllocatePool(0, (ULONG )b.MaximumLength);
  if (! b.Buffer) { return (-1); }
  memset((void *)b.Buffer, 0, (unsigned int )b.MaximumLength);
  st = CopyName(& b, & a);
  if (st == 0L) {
    if (n == 1) { errorFn(); }
    if ((int )b.Length > (int )b.MaximumLength) { errorFn(); }
  } else {
    if (n != 1) { errorFn(); }
    if (b.Length != 0) { errorFn(); }
  }
  return (0);
}
}
