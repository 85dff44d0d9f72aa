// both: as the drivers that CIL writes out (usb); unsafe with
// setEventCalled = 1; ==> if (Irp->Cancel != 2) { setEventCalled = 1; }
#include "driver.h"
typedef struct _URB { USHORT Length ; USHORT Function ; NTSTATUS Status ; PVOID Buffer ; } URB;
typedef URB *PURB;
typedef struct _USB_EXTENSION { PDEVICE_OBJECT Stack ; PURB Urb ; int Stopped ; } USB_EXTENSION;
NTSTATUS KeWaitForSingleObject(PVOID Object , int WaitReason , CHAR WaitMode , BOOLEAN Alertable , PVOID Timeout )
{ PKEVENT e ;
  {
  e = (PKEVENT )Object;
  if (s == MPR1) {
    if (setEventCalled == 1) { s = NP; setEventCalled = 0; } else { errorFn(); }
  }
  return (0L);
}
}
NTSTATUS UsbComplete(PDEVICE_OBJECT DeviceObject , PIRP Irp , PVOID Context )
{
  {
  ((PKEVENT )Context)->SignalState = 1;
  setEventCalled = 1;
  return (-1073741802L);
}
}
NTSTATUS IofCallDriver(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ NTSTATUS (*routine)(PDEVICE_OBJECT , PIRP , PVOID ) ; int r = __VERIFIER_nondet_int() ; PIO_STACK_LOCATION sp ;
  {
  (Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation) --;
  sp = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation;
  routine = sp->CompletionRoutine;
  ((PURB )sp->Parameters.Others.Argument1)->Status = r;
  if ((unsigned long )routine != (unsigned long )((void *)0)) {
    (*routine)(DeviceObject, Irp, sp->Context);
    s = MPR1;
  } else {
    s = IPC;
  }
  (Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation) ++;
  return (259L);
}
}
NTSTATUS UsbCall(PDEVICE_OBJECT DeviceObject , PIRP Irp , PURB Urb )
{ USB_EXTENSION *ext ; PIO_STACK_LOCATION next ; KEVENT event ; NTSTATUS st ;
  {
  ext = (USB_EXTENSION *)DeviceObject->DeviceExtension;
  event.SignalState = 0;
  next = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation - 1;
  next->Parameters.Others.Argument1 = (PVOID )Urb;
  next->CompletionRoutine = & UsbComplete;
  next->Context = (PVOID )(& event);
  st = IofCallDriver(ext->Stack, Irp);
  if (st == 259L) {
    KeWaitForSingleObject((PVOID )(& event), 0, 0, 0, (PVOID )0);
    st = Urb->Status;
  }
  if (event.SignalState != 1L) { errorFn(); }
  return (st);
}
}
int main(void)
{ IRP irp ; IO_STACK_LOCATION stack[3] ; DEVICE_OBJECT devobj ; DEVICE_OBJECT lower ; USB_EXTENSION ext ; URB urb ; NTSTATUS st ;
  {
  _BLAST_init();
  s = NP;
  devobj.DeviceExtension = & ext;
  ext.Stack = & lower;
  irp.Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation = & stack[1];
  urb.Function = 11;
  st = UsbCall(& devobj, & irp, & urb);
  if (urb.Status != st) { errorFn(); }
  if (urb.Function != 11) { errorFn(); }
  IofCompleteRequest(& irp, 0);
  return (0);
}
}
