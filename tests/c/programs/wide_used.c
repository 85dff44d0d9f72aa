// rejected: what is not supported is used
extern int cut(__int128);
extern void reach_error(void);
int main(void) {
  if (cut(1) > 2) reach_error();
  return 0;
}
