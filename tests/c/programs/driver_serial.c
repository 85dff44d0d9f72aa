// both: as the drivers that CIL writes out (serial); unsafe with
// if (local.ReadInterval > 100UL) { st = -1073741811L; } else { ext->Timeouts = local; } ==> if (local.ReadInterval > 101UL) { st = -1073741811L; } else { ext->Timeouts = local; }
#include "driver.h"
extern void *ExAllocatePoolWithTag(int PoolType , ULONG NumberOfBytes , ULONG Tag ) ;
extern void ExFreePool(PVOID P ) ;
extern void *memset(void * , int , unsigned int ) ;
extern void *memcpy(void * , void const * , unsigned int ) ;
typedef struct _SERIAL_TIMEOUTS { ULONG ReadInterval ; ULONG ReadTotal ; } SERIAL_TIMEOUTS;
typedef struct _SERIAL_EXTENSION { PDEVICE_OBJECT DeviceObject ; SERIAL_TIMEOUTS Timeouts ; ULONG BufferSize ; UCHAR *Buffer ; BOOLEAN Opened ; UNICODE_STRING Name ; } SERIAL_EXTENSION;
typedef SERIAL_EXTENSION *PSERIAL_EXTENSION;
NTSTATUS SerialIoctl(PDEVICE_OBJECT DeviceObject , PIRP Irp )
{ PSERIAL_EXTENSION ext ; PIO_STACK_LOCATION irpSp ; SERIAL_TIMEOUTS *t ; NTSTATUS st ; SERIAL_TIMEOUTS local ;
  {
  ext = DeviceObject->DeviceExtension;
  irpSp = Irp->Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation;
  st = 0L;
  if (irpSp->Parameters.DeviceIoControl.IoControlCode == 1769504UL) {
    if (irpSp->Parameters.DeviceIoControl.InputBufferLength < sizeof(SERIAL_TIMEOUTS )) { st = -1073741789L; }
    else {
      t = (SERIAL_TIMEOUTS *)Irp->AssociatedIrp.SystemBuffer;
      memcpy((void *)(& local), (void const *)t, sizeof(SERIAL_TIMEOUTS ));
      if (local.ReadInterval > 100UL) { st = -1073741811L; } else { ext->Timeouts = local; }
    }
  } else { st = -1073741808L; }
  Irp->IoStatus.__annonCompField4.Status = st;
  IofCompleteRequest(Irp, 0);
  return (st);
}
}
int main(void)
{ IRP irp ; IO_STACK_LOCATION sp ; DEVICE_OBJECT devobj ; PSERIAL_EXTENSION ext ; SERIAL_TIMEOUTS in ; NTSTATUS st ;
  {
  _BLAST_init();
  s = NP;
  ext = (PSERIAL_EXTENSION )ExAllocatePoolWithTag(0, sizeof(SERIAL_EXTENSION ), 1919251571UL);
  if (! ext) { return (-1); }
  memset((void *)ext, 0, sizeof(SERIAL_EXTENSION ));
  devobj.DeviceExtension = (void *)ext;
  in.ReadInterval = (ULONG )__VERIFIER_nondet_int();
  irp.AssociatedIrp.SystemBuffer = (PVOID )(& in);
  irp.Tail.Overlay.__annonCompField17.__annonCompField16.CurrentStackLocation = & sp;
  st = SerialIoctl(& devobj, & irp);
  if (((PSERIAL_EXTENSION )devobj.DeviceExtension)->Timeouts.ReadInterval > 100UL) { errorFn(); }
  if (ext->Opened) { errorFn(); }
  if (irp.IoStatus.__annonCompField4.Status != st) { errorFn(); }
  ExFreePool((PVOID )ext);
  return (0);
}
}
