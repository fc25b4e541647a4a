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

/// Locks memory that is mapped from now on when it is first used, not as a whole; what is locked stays locked.
///
/// Call it after ``lockMemory()``, when the lanes' threads run: their stacks are in memory then. Otherwise every thread
/// that the system's pools start later would take its whole stack at once, 8 MB.
/// - Source: mlockall(2), `MCL_ONFAULT`, since Linux 4.4.
public func lockLaterMemoryOnUse() throws(RealTimeError) {
    // The C library spells it as a macro that Swift does not see.
    let onFault: Int32 = 4
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
}
