import Glibc

/// Locks all present and future memory of the process, so that no real-time thread ever waits for a disk.
///
/// The program and the libraries that real-time threads call are read as a whole now, which takes some 40 ms of a core.
/// Everything else is locked when it is used: the tables of two Unicode libraries alone are 70 MB, and every thread of
/// the system's pools would otherwise take its whole stack of 8 MB.
///
/// Call this once, after the models are loaded. Locking needs privilege or a high `RLIMIT_MEMLOCK`. If the limit is only
/// just large enough, later allocations fail: set it to unlimited.
/// - Source: mlockall(2), `MCL_ONFAULT`, since Linux 4.4.
public func lockMemory() throws(RealTimeError) {
    // MCL_ONFAULT, which the C library defines as a macro that Swift does not see.
    let onFault: Int32 = 4
    guard mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE) | onFault) == 0 else {
        throw .memoryNotLocked(errno: errno)
    }
    for file in mappedFiles() where file.isForRealTime {
        // A part that cannot be read, such as the end of a file that has become shorter, is locked when it is used.
        _ = mlock(file.bytes.baseAddress, file.bytes.count)
    }
}

/// A part of the program or of a library in the memory of the process.
struct MappedFile {
    let name: Substring
    let bytes: UnsafeRawBufferPointer

    /// The libraries that capture and follow threads call: the C library and the loader, Swift's own runtime, the Fourier
    /// transforms, and ALSA with the sound server that its plugins load.
    private static let librariesForRealTime = [
        "ld-", "libc.", "libm.", "libgcc_s.", "libstdc++.", "libswiftCore.", "libswiftGlibc.",
        "libswiftSynchronization.",
        "libfftw3f.", "libasound", "libpulse",
    ]

    var isForRealTime: Bool {
        !name.contains(".so") || Self.librariesForRealTime.contains { name.hasPrefix($0) }
    }
}

/// The files of which the process has parts in its memory: the program and its libraries.
func mappedFiles() -> [MappedFile] {
    guard let maps = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(maps) }
    var found: [MappedFile] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let text = line.map({ String(cString: $0) }) {
        // Such as “7f1c-7f2c r-xp 00000000 08:01 1234  /usr/lib/libc.so.6”.
        let fields = text.split(separator: " ", maxSplits: 5).map { $0.trimmingPrefix { $0 == " " } }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard fields.count == 6, fields[5].hasPrefix("/"), fields[1].hasPrefix("r"), ends.count == 2,
            let start = UnsafeRawPointer(bitPattern: ends[0])
        else { continue }
        found.append(
            MappedFile(
                name: fields[5].split(separator: "/").last?.prefix { $0 != "\n" } ?? "",
                bytes: UnsafeRawBufferPointer(start: start, count: Int(ends[1] - ends[0]))))
    }
    return found
}

/// Locks the part of the calling thread's stack that real-time work needs, so that it is there before it is used. Without
/// permission to lock it, nothing happens.
func lockStackOfThisThread() {
    var place: UInt8 = 0
    withUnsafeMutablePointer(to: &place) { place in
        // The stack grows towards lower addresses.
        _ = mlock(UnsafeRawPointer(place) - usedStackBytes, usedStackBytes)
    }
}

/// More than the deepest calls of the capture and follow threads need.
let usedStackBytes = 512 << 10
