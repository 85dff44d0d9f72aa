// safe: as the drivers that CIL writes out (lock); kernel functions change only what they are given
#include "driver.h"
typedef struct _REMOVE_LOCK { BOOLEAN Removed ; long IoCount ; KEVENT Event ; } REMOVE_LOCK;
typedef struct _EXT { REMOVE_LOCK Lock ; PIRP Pending ; ULONG State ; } EXT;
extern NTSTATUS IoGetDeviceProperty(PDEVICE_OBJECT DeviceObject , int Property , ULONG BufferLength , PVOID Buffer , ULONG *ResultLength ) ;
long InterlockedIncrement(long volatile *Addend ) { { (*Addend) ++; return (*Addend); } }
long InterlockedDecrement(long volatile *Addend ) { { (*Addend) --; return (*Addend); } }
PVOID InterlockedExchange(PVOID *Target , PVOID Value ) { PVOID old ; { old = *Target; *Target = Value; return (old); } }
void Cancel(PDEVICE_OBJECT DeviceObject , PIRP Irp ) { { Irp->Cancel = 1; return; } }
NTSTATUS Acquire(REMOVE_LOCK *Lock )
{ long c ;
  {
  c = InterlockedIncrement(& Lock->IoCount);
  if (Lock->Removed) { InterlockedDecrement(& Lock->IoCount); return (-1073741738L); }
  return (0L);
}
}
int main(void)
{ EXT ext ; IRP irp ; DEVICE_OBJECT devobj ; EXT *e ; ULONG len ; ULONG want ; NTSTATUS st ; PVOID old ; void (*routine)(PDEVICE_OBJECT , PIRP ) ;
  {
  _BLAST_init();
  s = NP;
  devobj.DeviceExtension = (PVOID )(& ext);
  e = (EXT *)devobj.DeviceExtension;
  e->Lock.IoCount = 1;
  e->Lock.Removed = (BOOLEAN )(__VERIFIER_nondet_int() != 0);
  e->State = 5;
  len = 0;
  st = IoGetDeviceProperty(& devobj, 1, 4UL, (PVOID )(& want), & len);
  if (len > 100UL) { len = 100UL; }
  if (len > 100UL) { errorFn(); }
  st = Acquire(& e->Lock);
  if (st >= 0L) {
    if (ext.Lock.IoCount != 2L) { if (e->Lock.Removed) { errorFn(); } }
    irp.CancelRoutine = & Cancel;
    irp.Cancel = 0;
    old = InterlockedExchange((PVOID *)(& irp.CancelRoutine), (PVOID )0);
    routine = (void (*)(PDEVICE_OBJECT , PIRP ))old;
    (*routine)(& devobj, & irp);
    if (! irp.Cancel) { errorFn(); }
    if ((unsigned long )irp.CancelRoutine != 0UL) { errorFn(); }
    IofCompleteRequest(& irp, 0);
  }
  return (0);
}
}
