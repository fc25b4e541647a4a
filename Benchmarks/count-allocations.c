// Counts how often each thread asks for memory; to be loaded before the C library:
//
//   LD_PRELOAD=count-allocations.so baton benchmark
//
// `baton benchmark` looks for `allocations_of_this_thread` and reports what was allocated while following.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Initial-exec: reaching it must not allocate.
static __thread long made __attribute__((tls_model("initial-exec")));

long allocations_of_this_thread(void) { return made; }

void *malloc(size_t size) {
    made++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    made++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    made++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    made++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
