// safe: as the drivers that CIL writes out (floppy)
extern void __VERIFIER_error() __attribute__ ((__noreturn__));
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
typedef long NTSTATUS;
typedef unsigned long ULONG;
typedef unsigned short USHORT;
typedef unsigned char UCHAR;
typedef char CHAR;
typedef void *PVOID;
typedef unsigned short *PWSTR;
typedef UCHAR BOOLEAN;
struct _LIST_ENTRY {
   struct _LIST_ENTRY *Flink ;
   struct _LIST_ENTRY *Blink ;
};
typedef struct _LIST_ENTRY LIST_ENTRY;
typedef struct _LIST_ENTRY *PLIST_ENTRY;
struct _UNICODE_STRING {
   USHORT Length ;
   USHORT MaximumLength ;
   PWSTR Buffer ;
};
typedef struct _UNICODE_STRING UNICODE_STRING;
typedef UNICODE_STRING *PUNICODE_STRING;
struct _DEVICE_OBJECT;
struct _DRIVER_OBJECT;
struct _IRP;
struct _IO_STATUS_BLOCK {
   union {
      NTSTATUS Status ;
      PVOID Pointer ;
   } __annonCompField4 ;
   ULONG Information ;
};
typedef struct _IO_STATUS_BLOCK IO_STATUS_BLOCK;
struct _KEVENT {
   UCHAR Type ;
   long SignalState ;
   LIST_ENTRY WaitListHead ;
};
typedef struct _KEVENT KEVENT;
typedef KEVENT *PKEVENT;
struct _IO_STACK_LOCATION {
   UCHAR MajorFunction ;
   UCHAR MinorFunction ;
   UCHAR Flags ;
   UCHAR Control ;
   union {
      struct {
         ULONG Length ;
         ULONG Key ;
      } Read ;
      struct {
         ULONG OutputBufferLength ;
         ULONG InputBufferLength ;
         ULONG IoControlCode ;
         PVOID Type3InputBuffer ;
      } DeviceIoControl ;
      struct {
         PVOID Argument1 ;
         PVOID Argument2 ;
         PVOID Argument3 ;
         PVOID Argument4 ;
      } Others ;
   } Parameters ;
   struct _DEVICE_OBJECT *DeviceObject ;
   NTSTATUS (*CompletionRoutine)(struct _DEVICE_OBJECT *DeviceObject , struct _IRP *Irp , PVOID Context ) ;
   PVOID Context ;
};
typedef struct _IO_STACK_LOCATION IO_STACK_LOCATION;
typedef struct _IO_STACK_LOCATION *PIO_STACK_LOCATION;
struct _IRP {
   short Type ;
   USHORT Size ;
   ULONG Flags ;
   union {
      struct _IRP *MasterIrp ;
      long IrpCount ;
      PVOID SystemBuffer ;
   } AssociatedIrp ;
   IO_STATUS_BLOCK IoStatus ;
   CHAR RequestorMode ;
   BOOLEAN PendingReturned ;
   CHAR StackCount ;
   CHAR CurrentLocation ;
   BOOLEAN Cancel ;
   void (*CancelRoutine)(struct _DEVICE_OBJECT *DeviceObject , struct _IRP *Irp ) ;
   union {
      struct {
         PVOID DriverContext[4] ;
         LIST_ENTRY ListEntry ;
         struct {
            union {
               struct _IO_STACK_LOCATION *CurrentStackLocation ;
               ULONG PacketType ;
            } __annonCompField16 ;
         } __annonCompField17 ;
      } Overlay ;
      PVOID CompletionKey ;
   } Tail ;
};
typedef struct _IRP IRP;
typedef struct _IRP *PIRP;
struct _DEVICE_OBJECT {
   short Type ;
   USHORT Size ;
   struct _DRIVER_OBJECT *DriverObject ;
   struct _DEVICE_OBJECT *NextDevice ;
   ULONG Flags ;
   PVOID DeviceExtension ;
   CHAR StackSize ;
};
typedef struct _DEVICE_OBJECT DEVICE_OBJECT;
typedef struct _DEVICE_OBJECT *PDEVICE_OBJECT;
struct _DRIVER_OBJECT {
   short Type ;
   PDEVICE_OBJECT DeviceObject ;
   UNICODE_STRING DriverName ;
   NTSTATUS (*DriverInit)(struct _DRIVER_OBJECT *DriverObject , PUNICODE_STRING RegistryPath ) ;
   void (*DriverUnload)(struct _DRIVER_OBJECT *DriverObject ) ;
   NTSTATUS (*MajorFunction[28])(struct _DEVICE_OBJECT *DeviceObject , struct _IRP *Irp ) ;
};
typedef struct _DRIVER_OBJECT DRIVER_OBJECT;
typedef struct _DRIVER_OBJECT *PDRIVER_OBJECT;
int s ; int UNLOADED ; int NP ; int DC ; int SKIP1 ; int SKIP2 ; int IPC ; int MPR1 ;
int pended ; int compRegistered ; int lowerDriverReturn ; int customIrp ; int setEventCalled ;
NTSTATUS myStatus ; PIRP pirp ;
void errorFn(void)
{
  {
  goto ERROR;
  ERROR: __VERIFIER_error();
  return;
}
}
void _BLAST_init(void)
{
  {
  UNLOADED = 0; NP = 1; DC = 2; SKIP1 = 3; SKIP2 = 4; MPR1 = 5; IPC = 7;
  s = UNLOADED; pended = 0; compRegistered = 0; lowerDriverReturn = 0; setEventCalled = 0; customIrp = 0;
  return;
}
}
void IofCompleteRequest(PIRP Irp , CHAR PriorityBoost )
{
  {
  if (s == NP) {
    s = DC;
  } else {
    {
    errorFn();
    }
  }
  return;
}
}
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
