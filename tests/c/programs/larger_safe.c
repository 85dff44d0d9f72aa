// safe: as so many drivers have it, 'irp' has the wrong type
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef struct _IRP { int Type; void *Mdl; struct { int Status; unsigned Information; } IoStatus; char Cancel; struct _IRP *Next; } IRP, *PIRP;
PIRP pirp;
int complete(PIRP Irp) { Irp->Next = Irp; return Irp->IoStatus.Status; }
int main(void) {
  PIRP irp;
  int choice = __VERIFIER_nondet_int();
  pirp = &irp;
  pirp->IoStatus.Status = 0;
  if (choice == 0) pirp->IoStatus.Status = -5;
  pirp->Cancel = 1;
  if (complete(pirp) != (choice == 0 ? -5 : 0)) reach_error();
  if (pirp->Next->Cancel != 1) reach_error();
  return 0;
}
