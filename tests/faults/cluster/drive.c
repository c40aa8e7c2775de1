/* A disk under PostgreSQL that is full or slow, and a wall clock that is set: preloaded into it, see drive.py.

   It is about files in the folder FAULTY_DRIVE. The file FAULTY_DRIVE_CONTROL, mapped into memory, says how
   it is now: while it is full every write fails that makes a file longer, as on a file system without a free
   block. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static volatile struct control {
  int32_t is_full;
  int32_t refused;           /* writes, so far */
  int32_t sync_milliseconds; /* that every sync takes */
  int32_t clock_seconds;     /* that its wall clock is ahead */
}* control;

static const char* folder;
static ssize_t (*real_write)(int, const void*, size_t);
static ssize_t (*real_pwrite)(int, const void*, size_t, off_t);
static ssize_t (*real_pwritev)(int, const struct iovec*, int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_clock_gettime)(clockid_t, struct timespec*);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  folder = getenv("FAULTY_DRIVE");
  int fd = open(getenv("FAULTY_DRIVE_CONTROL"), O_RDWR);
  control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (control == MAP_FAILED) abort();
}

static int is_in_folder(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t size = strlen(folder);
  return !strncmp(path, folder, size) && path[size] == '/';
}

/* at < 0: where the file stands. */
static int has_no_room(int fd, size_t size, off_t at) {
  if (!control || !control->is_full) return 0;
  struct stat found;
  if (fstat(fd, &found) || !S_ISREG(found.st_mode) || !is_in_folder(fd)) return 0;
  if (at < 0) at = fcntl(fd, F_GETFL) & O_APPEND ? found.st_size : lseek(fd, 0, SEEK_CUR);
  if (at + (off_t)size <= found.st_size) return 0;
  __sync_fetch_and_add(&control->refused, 1);
  errno = ENOSPC;
  return 1;
}

ssize_t write(int fd, const void* data, size_t size) {
  return has_no_room(fd, size, -1) ? -1 : real_write(fd, data, size);
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  return has_no_room(fd, size, at) ? -1 : real_pwrite(fd, data, size, at);
}

ssize_t pwritev(int fd, const struct iovec* parts, int count, off_t at) {
  size_t size = 0;
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  return has_no_room(fd, size, at) ? -1 : real_pwritev(fd, parts, count, at);
}

static void take_time(int fd) {
  if (control && control->sync_milliseconds && is_in_folder(fd)) usleep(1000 * control->sync_milliseconds);
}

int fsync(int fd) {
  take_time(fd);
  return real_fsync(fd);
}

int fdatasync(int fd) {
  take_time(fd);
  return real_fdatasync(fd);
}

/* What says how late it is, and not how long something takes. */
int clock_gettime(clockid_t clock, struct timespec* found) {
  if (!real_clock_gettime) real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real_clock_gettime(clock, found);
  if (!failed && clock == CLOCK_REALTIME && control) found->tv_sec += control->clock_seconds;
  return failed;
}

int gettimeofday(struct timeval* restrict found, void* restrict zone) {
  (void)zone;
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  *found = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return failed;
}

time_t time(time_t* found) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (found) *found = now.tv_sec;
  return now.tv_sec;
}
