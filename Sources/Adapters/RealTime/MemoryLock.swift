import Glibc

/// Locks all present and future memory of the process, so that no real-time thread ever waits for a disk.
///
/// Call this once at the start, after the models are loaded. Locking needs privilege or a high `RLIMIT_MEMLOCK`. If the
/// limit is only just large enough, later allocations fail: set it to unlimited.
public func lockMemory() throws(RealTimeError) {
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
}

/// From now on, locks newly mapped memory only when it is first used. Memory that is locked stays locked.
///
/// Call this after ``lockMemory()`` and after the real-time threads have started, because their stacks are locked by
/// then. Without this call, every thread that the system's pools start later would take its whole stack of 8 MB at
/// once.
/// - Source: mlockall(2), `MCL_ONFAULT`, since Linux 4.4.
public func lockLaterMemoryOnUse() throws(RealTimeError) {
    // MCL_ONFAULT, which the C library defines as a macro that Swift does not see.
    let onFault: Int32 = 4
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
}
