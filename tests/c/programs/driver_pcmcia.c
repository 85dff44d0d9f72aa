// both: as the drivers that CIL writes out (pcmcia); unsafe with
// if (fdo->Count != 0) { errorFn(); } ==> if (n) { IofCompleteRequest(& a, 0); } if (fdo->Count != 0) { errorFn(); }
#include "driver.h"
typedef struct _FDO_EXTENSION { ULONG Signature ; LIST_ENTRY Queue ; PIRP Current ; int Count ; UCHAR Sockets[8] ; } FDO_EXTENSION;
typedef FDO_EXTENSION *PFDO_EXTENSION;
void QueueIrp(PFDO_EXTENSION fdo , PIRP Irp )
{ PLIST_ENTRY head ; PLIST_ENTRY last ;
  {
  head = & fdo->Queue;
  last = head->Blink;
  Irp->Tail.Overlay.ListEntry.Flink = head;
  Irp->Tail.Overlay.ListEntry.Blink = last;
  last->Flink = & Irp->Tail.Overlay.ListEntry;
  head->Blink = & Irp->Tail.Overlay.ListEntry;
  (fdo->Count) ++;
  return;
}
}
PIRP DequeueIrp(PFDO_EXTENSION fdo )
{ PLIST_ENTRY e ; PIRP Irp ;
  {
  if ((unsigned long )fdo->Queue.Flink == (unsigned long )(& fdo->Queue)) {
    return ((PIRP )((void *)0));
  }
  e = fdo->Queue.Flink;
  fdo->Queue.Flink = e->Flink;
  (e->Flink)->Blink = & fdo->Queue;
  Irp = (PIRP )((CHAR *)e - (unsigned int )(& ((PIRP )0)->Tail.Overlay.ListEntry));
  (fdo->Count) --;
  return (Irp);
}
}
int main(void)
{ IRP a ; IRP b ; PIRP x ; FDO_EXTENSION ext ; DEVICE_OBJECT devobj ; PFDO_EXTENSION fdo ; int n = __VERIFIER_nondet_int() ;
  {
  _BLAST_init();
  s = NP;
  devobj.DeviceExtension = (PVOID )(& ext);
  fdo = (PFDO_EXTENSION )devobj.DeviceExtension;
  fdo->Queue.Blink = & fdo->Queue;
  fdo->Queue.Flink = fdo->Queue.Blink;
  fdo->Count = 0;
  a.IoStatus.Information = 1;
  b.IoStatus.Information = 2;
  QueueIrp(fdo, & a);
  if (n) {
    QueueIrp(fdo, & b);
  }
  x = DequeueIrp(fdo);
  if ((unsigned long )x == (unsigned long )((PIRP )0)) { errorFn(); }
  if (x->IoStatus.Information != 1UL) { errorFn(); }
  x = DequeueIrp(fdo);
  if (n) {
    if ((unsigned long )x != (unsigned long )(& b)) { errorFn(); }
    IofCompleteRequest(x, 0);
  } else {
    if ((unsigned long )x != (unsigned long )((void *)0)) { errorFn(); }
  }
  if (fdo->Count != 0) { errorFn(); }
  return (0);
}
}
