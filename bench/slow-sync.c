/*
 * Adds HOLDFAST_SLOW_SYNC_MICROSECONDS to every fsync and fdatasync of a process, as a slower disk would. The time passes
 * after the real call, in the thread that made it.
 *
 *   cc -shared -fPIC -O2 -o slow-sync.so slow-sync.c -ldl        LD_PRELOAD=./slow-sync.so program
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static void wait_longer(void) {
  static long microseconds = -1;
  if (microseconds < 0) {
    const char *text = getenv("HOLDFAST_SLOW_SYNC_MICROSECONDS");
    microseconds = text ? atol(text) : 0;
  }
  /* Without this the kernel may add 50 microseconds of its own. */
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
  while (nanosleep(&left, &left) == -1 && errno == EINTR) {
  }
}

static int sync_slowly(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(file);
  int fault = errno;
  wait_longer();
  errno = fault;
  return result;
}

int fsync(int file) { return sync_slowly("fsync", file); }
int fdatasync(int file) { return sync_slowly("fdatasync", file); }
