/* A disk that forgets, and a wall clock that jumps: preloaded into a server, see disk.py.

   Files in the folder FAULTY_FOLDER are written as ever, into the page cache; what of them would survive a power cut
   is kept in files of the same names in FAULTY_DURABLE, and only fsync and fdatasync bring it there. The file
   FAULTY_CONTROL, mapped into memory, says what the disk and the clock do now. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum mode { HONEST, LYING, FAILING, STALLING };

static volatile struct control {
    int32_t mode;
    int32_t syncs;         /* that were asked for */
    int64_t clock_seconds; /* by which the wall clock is wrong */
} * control;

#define MAX_FILES 64
static struct file {
    char name[NAME_MAX + 1];
    off_t low, high; /* what was written since the last sync, and perhaps some more */
} files[MAX_FILES];
static int file_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *durable;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_unlink)(const char *);
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    folder = getenv("FAULTY_FOLDER");
    durable = getenv("FAULTY_DURABLE");
    int fd = open(getenv("FAULTY_CONTROL"), O_RDWR);
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (control == MAP_FAILED) abort();
}

/* The name of a file in the folder; NULL for any other. */
static const char *name_in_folder(const char *path) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    return strchr(name, '/') || strchr(name, ' ') ? NULL : name; /* " (deleted)" */
}

/* With the mutex held. What was written before this process began may be unsynced too. */
static struct file *file_named(const char *name) {
    for (int i = 0; i < file_count; i++)
        if (!strcmp(files[i].name, name)) return &files[i];
    if (file_count == MAX_FILES) abort();
    struct file *file = &files[file_count++];
    strcpy(file->name, name);
    file->low = 0, file->high = LLONG_MAX;
    return file;
}

static struct file *file_of(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    const char *name = name_in_folder(path);
    return name ? file_named(name) : NULL;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) {
    pthread_mutex_lock(&mutex);
    struct file *file = file_of(fd);
    if (file && at < file->low) file->low = at;
    if (file && at + (off_t)size > file->high) file->high = at + (off_t)size;
    pthread_mutex_unlock(&mutex);
    return real_pwrite(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }

/* Bring what was written to where a power cut leaves it. */
static void keep(int fd, struct file *file) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", durable, file->name);
    int to = open(path, O_WRONLY | O_CREAT, 0600);
    struct stat found;
    if (to < 0 || fstat(fd, &found)) abort();
    static char buffer[1 << 16];
    off_t end = file->high < found.st_size ? file->high : found.st_size;
    for (off_t at = file->low; at < end;) {
        size_t wanted = end - at < (off_t)sizeof buffer ? (size_t)(end - at) : sizeof buffer;
        ssize_t size = pread(fd, buffer, wanted, at);
        if (size <= 0 || real_pwrite(to, buffer, size, at) != size) abort();
        at += size;
    }
    if (real_ftruncate(to, found.st_size)) abort();
    close(to);
}

static int sync_file(int fd, int (*real)(int)) {
    pthread_mutex_lock(&mutex);
    struct file *file = file_of(fd);
    pthread_mutex_unlock(&mutex);
    if (!file) return real(fd);
    __sync_fetch_and_add(&control->syncs, 1);
    while (control->mode == STALLING) usleep(5000);
    if (control->mode == LYING) return 0;
    pthread_mutex_lock(&mutex);
    if (control->mode != FAILING) keep(fd, file);
    file->low = LLONG_MAX, file->high = 0; /* after a failure the kernel, too, takes pages for clean */
    pthread_mutex_unlock(&mutex);
    if (control->mode == FAILING) {
        errno = EIO;
        return -1;
    }
    return 0;
}

int fsync(int fd) { return sync_file(fd, real_fsync); }
int fdatasync(int fd) { return sync_file(fd, real_fdatasync); }

int unlink(const char *path) {
    const char *name = name_in_folder(path);
    if (name) {
        char copy[PATH_MAX];
        snprintf(copy, sizeof copy, "%s/%s", durable, name);
        pthread_mutex_lock(&mutex);
        real_unlink(copy);
        struct file *file = file_named(name);
        file->low = 0, file->high = LLONG_MAX;
        pthread_mutex_unlock(&mutex);
    }
    return real_unlink(path);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = real_clock_gettime(clock, time);
    if (!result && clock == CLOCK_REALTIME && control) time->tv_sec += control->clock_seconds;
    return result;
}
