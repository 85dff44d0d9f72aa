// unsafe: as so many drivers have it, 'irp' has the wrong type; what is in it nobody knows
extern void reach_error(void);
typedef struct _IRP { int Type; void *Mdl; struct { int Status; unsigned Information; } IoStatus; char Cancel; struct _IRP *Next; } IRP, *PIRP;
PIRP pirp;
int global;
int main(void) {
  PIRP irp;
  pirp = &irp;
  pirp->IoStatus.Status = 0;
  if (pirp->Cancel == 17 && pirp->IoStatus.Information == 99) {
    PIRP other = (PIRP)&global;
    if (other->Type == 0) {
      other->Cancel = 3;
      pirp->Next = other;
      if (pirp->Next->Cancel == 3 && pirp->IoStatus.Status == 0) reach_error();
    }
  }
  return 0;
}
