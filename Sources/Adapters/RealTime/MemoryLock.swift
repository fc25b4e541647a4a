import Glibc

/// Keeps every page of the process in memory, present and future, so that no lane waits for a disk.
///
/// Call it once at the start, after the models are loaded; needs privilege or a generous `RLIMIT_MEMLOCK`.
/// With a limit that is only just large enough, later allocations fail: set the limit to unlimited.
public func lockMemory() throws(RealTimeError) {
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
}
