// both: as the drivers that CIL writes out (filter); unsafe with
// next->Control = 0; ==> next->Control = 0; if (next->MajorFunction == 27) { s = DC; }
#include "driver.h"
extern void *memcpy(void * , void const * , unsigned int ) ;
typedef struct _FILTER_EXT { PDEVICE_OBJECT TopOfStack ; BOOLEAN Started ; BOOLEAN Removed ; } FILTER_EXT;
NTSTATUS IofCallDriver(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ int r = __VERIFIER_nondet_int() ;
  {
  if (s == NP) { s = IPC; lowerDriverReturn = r; } else { if (s == SKIP1) { s = SKIP2; lowerDriverReturn = r; } else { errorFn(); } }
  return (r);
}
}
NTSTATUS PassThrough(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ FILTER_EXT *ext ;
  {
  ext = (FILTER_EXT *)DeviceObject->DeviceExtension;
  if (s == NP) { s = SKIP1; } else { errorFn(); }
  Irp->CurrentLocation = (CHAR )((int )Irp->CurrentLocation + 1);
  Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation ++;
  return (IofCallDriver(ext->TopOfStack, Irp));
}
}
NTSTATUS Pnp(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ PIO_STACK_LOCATION sp ; PIO_STACK_LOCATION next ; NTSTATUS st ; FILTER_EXT *ext ;
  {
  ext = (FILTER_EXT *)DeviceObject->DeviceExtension;
  sp = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation;
  if ((int )sp->MinorFunction == 0) {
    next = sp - 1;
    memcpy((void *)next, (void const *)sp, 28U);
    next->Control = 0;
    st = IofCallDriver(ext->TopOfStack, Irp);
    s = NP;
    Irp->IoStatus.__annonCompField4.Status = st;
    IofCompleteRequest(Irp, 0);
    return (st);
  }
  if ((int )sp->MinorFunction == 2) { ext->Removed = 1; }
  return (PassThrough(DeviceObject, Irp));
}
}
int main(void)
{ PIRP irp ; DEVICE_OBJECT devobj ; NTSTATUS status ; int choice = __VERIFIER_nondet_int() ;
  {
  pirp = & irp;
  _BLAST_init();
  s = NP;
  pirp->IoStatus.__annonCompField4.Status = 0L;
  myStatus = 0L;
  if (choice == 0) { pirp->IoStatus.__annonCompField4.Status = -1073741637L; myStatus = -1073741637L; }
  if (choice == 3) { status = Pnp(& devobj, pirp); } else { status = PassThrough(& devobj, pirp); }
  if (s != SKIP2) { if (s != DC) { errorFn(); } }
  if (s == SKIP2) { if (pirp->IoStatus.__annonCompField4.Status != myStatus) { errorFn(); } }
  return (status);
}
}
