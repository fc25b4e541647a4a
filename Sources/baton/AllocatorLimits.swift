import Glibc

/// Makes the C library's allocator return freed memory to the system, for commands that run for a whole evening.
///
/// By default it keeps one pool for each of many threads, and after the first large array is freed it keeps arrays of
/// up to 32 MB too. Locked memory makes this permanent: the system refuses to take single pages of it back. So a
/// server that once prepared a large response for each of several threads would need that memory until its end.
///
/// Source: mallopt(3), madvise(2).
enum AllocatorLimits {
    /// Options of `malloc.h`, which Swift does not import.
    private static let options: [(name: Int32, value: Int32)] = [
        // M_ARENA_MAX: the number of pools.
        (-8, 4),
        // M_MMAP_THRESHOLD: arrays of more bytes are got from the system and given back to it.
        (-3, 128 << 10),
        // M_TRIM_THRESHOLD: free bytes at the end of a pool beyond this number are given back.
        (-1, 1 << 20),
    ]

    /// Call this before other threads start.
    static func limitUnusedMemory() {
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let setOption = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        for option in options { _ = setOption(option.name, option.value) }
    }
}
