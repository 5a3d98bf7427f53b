/*
 * A disk that keeps only synced data, and whose syncs can be made to fail. Files whose name contains
 * "holdfast.sqlite" have a shadow of the same name in LOSSY_DISK_SHADOW: what they would hold after a loss of power.
 *
 * A write marks the pages that it touches as dirty; a sync copies dirty pages into the shadow. While the first byte of
 * LOSSY_DISK_CONTROL is '1', syncs fail with EIO, and the dirty pages are dropped: they stay readable, count as clean, and a
 * later sync that succeeds does not write them. That is what Linux does after a failed write-back, and what PostgreSQL was
 * bitten by in 2018. While it is '2', writes fail with EIO too, and change nothing.
 *
 *   cc -shared -fPIC -O2 -o lossy-disk.so lossy-disk.c -ldl      LD_PRELOAD=./lossy-disk.so program
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES_MAX (1 << 16) /* 256 MiB */
#define FILES_MAX 16

struct file {
  char name[NAME_MAX + 1];
  int shadow;
  unsigned char dirty[PAGES_MAX];
};

static struct file *files[FILES_MAX];
static int files_count;
static const volatile char *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void start(void) {
  real_pwrite = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
  real_unlink = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  int fd = open(getenv("LOSSY_DISK_CONTROL"), O_RDONLY | O_CLOEXEC);
  control = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (control == MAP_FAILED) abort();
  close(fd);
}

/* The file of this path, or NULL if it is not ours. Call this, and everything below, with the lock held. */
static struct file *find_path(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  /* The index of the log is shared memory, rebuilt after a crash and never synced. */
  if (strstr(name, "holdfast.sqlite") == NULL || strstr(name, "-shm") != NULL || strchr(name, ' ') != NULL) return NULL;
  for (int i = 0; i < files_count; i++)
    if (strcmp(files[i]->name, name) == 0) return files[i];
  if (files_count == FILES_MAX) abort();
  struct file *file = calloc(1, sizeof *file);
  snprintf(file->name, sizeof file->name, "%s", name);
  file->shadow = -1;
  return files[files_count++] = file;
}

/* The file of a descriptor, with its shadow open. Identified by name, since inode numbers are reused soon. */
static struct file *find(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  struct file *file = find_path(path);
  if (file != NULL && file->shadow < 0) {
    snprintf(path, sizeof path, "%s/%s", getenv("LOSSY_DISK_SHADOW"), file->name);
    file->shadow = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file->shadow < 0) abort();
  }
  return file;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  pthread_mutex_lock(&lock);
  struct file *file = find(fd);
  ssize_t written;
  if (file != NULL && *control == '2') {
    written = -1;
    errno = EIO;
  } else {
    written = real_pwrite(fd, bytes, length, offset);
    int fault = errno;
    if (file != NULL && written > 0) {
      if ((offset + written) / PAGE >= PAGES_MAX) abort();
      for (off64_t page = offset / PAGE; page <= (offset + written - 1) / PAGE; page++) file->dirty[page] = 1;
    }
    errno = fault;
  }
  pthread_mutex_unlock(&lock);
  return written;
}

/* Names and lengths are in the file system's journal: here they always survive a loss of power. */
int ftruncate64(int fd, off64_t length) {
  pthread_mutex_lock(&lock);
  struct file *file = find(fd);
  int result = real_ftruncate(fd, length);
  int fault = errno;
  if (file != NULL && result == 0 && real_ftruncate(file->shadow, length) != 0) abort();
  errno = fault;
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *path) {
  pthread_mutex_lock(&lock);
  struct file *file = find_path(path);
  int result = real_unlink(path);
  int fault = errno;
  if (file != NULL && result == 0) {
    char shadow[PATH_MAX];
    snprintf(shadow, sizeof shadow, "%s/%s", getenv("LOSSY_DISK_SHADOW"), file->name);
    real_unlink(shadow);
    if (file->shadow >= 0) close(file->shadow);
    file->shadow = -1;
    memset(file->dirty, 0, sizeof file->dirty);
  }
  errno = fault;
  pthread_mutex_unlock(&lock);
  return result;
}

static int sync_dirty(const char *name, int fd) {
  pthread_mutex_lock(&lock);
  struct file *file = find(fd);
  int fails = file != NULL && *control != '0';
  char page[PAGE];
  for (off64_t i = 0; file != NULL && i < PAGES_MAX; i++) {
    if (!file->dirty[i]) continue;
    file->dirty[i] = 0;
    if (fails) continue;
    ssize_t length = pread64(fd, page, PAGE, i * PAGE);
    if (length > 0 && real_pwrite(file->shadow, page, length, i * PAGE) != length) abort();
  }
  pthread_mutex_unlock(&lock);
  if (fails) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}

int fsync(int fd) { return sync_dirty("fsync", fd); }
int fdatasync(int fd) { return sync_dirty("fdatasync", fd); }
