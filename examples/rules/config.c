#include <stdio.h>

static int level;

/* Reads a line such as "level 3". */
static int read_config(const char *name) {
  char line[80];
  FILE *file = fopen(name, "r");
  if (!file)
    return -1;
  if (!fgets(line, sizeof line, file))
    return -1;
  if (line[0] == '#')
    fclose(file);
  else
    sscanf(line, "level %d", &level);
  return fclose(file);
}

int main(void) {
  return read_config("example.conf");
}
