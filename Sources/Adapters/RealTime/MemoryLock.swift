import Glibc

/// Locks all present and future memory of the process, so that no lane ever waits for a disk.
///
/// Call it once at the start, after the models are loaded. It needs privilege or a high `RLIMIT_MEMLOCK`. If the
/// limit is only just large enough, later allocations fail: set it to unlimited.
public func lockMemory() throws(RealTimeError) {
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
}
