// What the C library for WebAssembly lacks and Swift's runtime calls.
#include <stddef.h>

// Seeds of hash tables: fixed, so that the same sound always gives the same reports.
void arc4random_buf(void *bytes, size_t count) {
    unsigned char *byte = bytes;
    for (size_t index = 0; index < count; index++) byte[index] = (unsigned char)(index * 37 + 11);
}

unsigned long __stack_chk_guard = 0x57ac;
void __stack_chk_fail(void) { __builtin_trap(); }
