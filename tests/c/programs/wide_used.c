// rejected: what is not supported is used
extern int cut(_Float16);
extern void reach_error(void);
int main(void) {
  if (cut(1) > 2) reach_error();
  return 0;
}
