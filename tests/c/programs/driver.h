// What the drivers have in common: records of the kernel, and its functions.
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
