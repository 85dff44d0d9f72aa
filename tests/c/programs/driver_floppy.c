// both: as the drivers that CIL writes out (floppy); unsafe with
// ev->SignalState = 1L; ==> if (Irp->PendingReturned) { ev->SignalState = 1L; }
// ext.IsRemoved = 0; ==> ext.IsRemoved = 0; compRegistered = 0;
#include "driver.h"
typedef struct _DISKETTE_EXTENSION { PDEVICE_OBJECT Self ; PDEVICE_OBJECT Target ; BOOLEAN IsStarted ; BOOLEAN IsRemoved ; long Outstanding ; LIST_ENTRY NewRequestQueue ; } DISKETTE_EXTENSION;
typedef DISKETTE_EXTENSION *PDISKETTE_EXTENSION;
NTSTATUS IofCallDriver(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ int r = __VERIFIER_nondet_int(); long st ;
  PIO_STACK_LOCATION next ;
  {
  if (compRegistered) {
    next = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation - 1;
    {
    (*(next->CompletionRoutine))(DeviceObject, Irp, next->Context);
    }
  }
  if (r == 0) { st = 0L; } else { st = 259L; lowerDriverReturn = 259; }
  if (s == NP) { s = IPC; } else { if (s == SKIP1) { s = SKIP2; } else { { errorFn(); } } }
  return (st);
}
}
NTSTATUS FloppyComplete(PDEVICE_OBJECT DeviceObject , PIRP Irp , PVOID Context )
{ PKEVENT ev ;
  {
  ev = (PKEVENT )Context;
  ev->SignalState = 1L;
  setEventCalled = 1;
  return (-1073741802L);
}
}
NTSTATUS FloppyCreateClose(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{
  {
  Irp->IoStatus.__annonCompField4.Status = 0L;
  Irp->IoStatus.Information = 1;
  myStatus = 0L;
  {
  IofCompleteRequest(Irp, 0);
  }
  return (0L);
}
}
NTSTATUS FloppyPnp(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ PDISKETTE_EXTENSION ext ;
  PIO_STACK_LOCATION irpSp ;
  PIO_STACK_LOCATION nextIrpSp ;
  KEVENT doneEvent ;
  NTSTATUS ntStatus ;
  {
  ext = (PDISKETTE_EXTENSION )DeviceObject->DeviceExtension;
  irpSp = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation;
  if (ext->IsRemoved) {
    {
    Irp->IoStatus.__annonCompField4.Status = -1073741738L;
    IofCompleteRequest(Irp, 0);
    }
    return (-1073741738L);
  }
  if (irpSp->MinorFunction == 0) {
    goto switch_1_0;
  } else {
    {
    goto switch_1_default;
    if (0) {
      switch_1_0: /* CIL Label */
      {
      doneEvent.SignalState = 0L;
      nextIrpSp = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation - 1;
      nextIrpSp->MajorFunction = irpSp->MajorFunction;
      nextIrpSp->Control = 0;
      nextIrpSp->CompletionRoutine = & FloppyComplete;
      nextIrpSp->Context = (PVOID )(& doneEvent);
      compRegistered = 1;
      ntStatus = IofCallDriver(ext->Target, Irp);
      }
      if (doneEvent.SignalState == 0L) { { errorFn(); } }
      s = NP;
      ext->IsStarted = 1;
      {
      IofCompleteRequest(Irp, 0);
      }
      goto switch_1_break;
      switch_1_default: /* CIL Label */ ;
      s = SKIP1;
      Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation + 1;
      {
      ntStatus = IofCallDriver(ext->Target, Irp);
      }
    } else {
      switch_1_break: /* CIL Label */ ;
    }
    }
  }
  return (ntStatus);
}
}
NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject , PUNICODE_STRING RegistryPath )
{
  {
  DriverObject->MajorFunction[0] = & FloppyCreateClose;
  DriverObject->MajorFunction[2] = & FloppyCreateClose;
  DriverObject->MajorFunction[27] = & FloppyPnp;
  return (0L);
}
}
int main(void)
{ DRIVER_OBJECT d ; UNICODE_STRING u ; NTSTATUS status ; IRP irp ; DEVICE_OBJECT devobj ; DEVICE_OBJECT lower ; DISKETTE_EXTENSION ext ; IO_STACK_LOCATION stack[4] ;
  int op = __VERIFIER_nondet_int() ;
  {
  pirp = & irp;
  _BLAST_init();
  status = DriverEntry(& d, & u);
  if (status >= 0L) {
    s = NP;
    ext.Target = & lower;
    ext.IsRemoved = 0;
    devobj.DeviceExtension = (PVOID )(& ext);
    irp.Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation = & stack[2];
    if (op == 0) {
      status = (*(d.MajorFunction[0]))(& devobj, pirp);
    } else {
      if (op == 2) {
        status = (*(d.MajorFunction[2]))(& devobj, pirp);
      } else {
        status = (*(d.MajorFunction[27]))(& devobj, pirp);
      }
    }
    if (s != DC) { if (s != SKIP2) { errorFn(); } }
  }
  return (0);
}
}
