// both: labels in branches that no condition leads to; unsafe with
// if (locked != 2) reach_error(); ==> if (locked == 2) reach_error();
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int locked;
int main(void) {
  int op = __VERIFIER_nondet_int(), status = 0;
  if (op == 0) {
    goto switch_0;
  } else {
    if (op == 1) {
      goto switch_1;
    } else {
      {
      goto switch_default;
      if (0) {
        switch_0: /* CIL Label */
        {
        locked = locked + 1;
        }
        goto switch_break;
        switch_1: /* CIL Label */ ;
        locked = 2;
        status = 5;
        goto switch_break;
        switch_default: /* CIL Label */ ;
        return (-1);
      } else {
        switch_break: /* CIL Label */ ;
      }
      }
    }
  }
  if (status == 5) {
    if (locked != 2) reach_error();
  } else {
    if (locked != 1) reach_error();
  }
  return (status);
}
