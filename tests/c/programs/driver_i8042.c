// both: as the drivers that CIL writes out (i8042); unsafe with
// if (kbd.InputCount > 4) { errorFn(); } ==> if (kbd.InputCount > 3 && kbd.Input[0] != kbd.Input[3]) { errorFn(); }
#include "driver.h"
typedef struct _COMMON_DATA { int IsKeyboard ; NTSTATUS (*IsrHook)(PVOID , int ) ; PVOID Context ; } COMMON_DATA;
typedef struct _KBD { COMMON_DATA Common ; int InputCount ; UCHAR Input[4] ; } KBD;
typedef struct _MOU { COMMON_DATA Common ; long Packets ; int State ; } MOU;
DEVICE_OBJECT kbdDevice ; DEVICE_OBJECT mouDevice ; KBD kbd ; MOU mou ;
NTSTATUS KbdHook(PVOID Context , int byte )
{ KBD *k ;
  {
  k = (KBD *)Context;
  if (k->InputCount < 4) { k->Input[k->InputCount] = (UCHAR )byte; (k->InputCount) ++; }
  return (0L);
}
}
NTSTATUS MouHook(PVOID Context , int byte )
{ MOU *m ;
  {
  m = (MOU *)Context;
  m->State = m->State + 1;
  if (m->State == 3) { m->State = 0; (m->Packets) ++; }
  return (0L);
}
}
NTSTATUS Isr(PDEVICE_OBJECT DeviceObject , int byte )
{ COMMON_DATA *common ;
  {
  common = (COMMON_DATA *)DeviceObject->DeviceExtension;
  return ((*(common->IsrHook))(common->Context, byte));
}
}
int main(void)
{ int i ; int b ;
  {
  _BLAST_init();
  kbdDevice.DeviceExtension = (PVOID )(& kbd);
  mouDevice.DeviceExtension = (PVOID )(& mou);
  kbd.Common.IsKeyboard = 1;
  kbd.Common.IsrHook = & KbdHook;
  kbd.Common.Context = (PVOID )(& kbd);
  mou.Common.IsrHook = & MouHook;
  mou.Common.Context = (PVOID )(& mou);
  i = __VERIFIER_nondet_int();
  while (i > 0) {
    b = __VERIFIER_nondet_int();
    if (b & 1) { Isr(& kbdDevice, b); } else { Isr(& mouDevice, b); }
    if (kbd.InputCount > 4) { errorFn(); }
    if (mou.State > 2) { errorFn(); }
    if (mou.State < 0) { errorFn(); }
    i --;
  }
  return (0);
}
}
