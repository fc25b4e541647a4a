import Foundation
import Glibc

/// Measures the processor time of the calling thread, which the load of other processes does not affect.
enum ThreadProcessorClock {
    /// The processor time in nanoseconds. Reading it costs one system call, about 600 ns.
    static var nanoseconds: Int64 {
        var reading = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &reading)
        return Int64(reading.tv_sec) &* 1_000_000_000 &+ Int64(reading.tv_nsec)
    }
}

/// Resident memory of this process: the present value and the peak.
enum ResidentMemory {
    static var bytes: Int { readStatusBytes("VmRSS:") }

    /// Peak of the resident memory since ``resetPeak()``.
    static var peakBytes: Int { readStatusBytes("VmHWM:") }

    /// Reads a value of `/proc/self/status`, in bytes. Unlike `/proc/self/statm`, this file is exact on every kernel.
    private static func readStatusBytes(_ name: String) -> Int {
        let line = readContents(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }

    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Makes `malloc` get every array of more than 128 KiB from the system and return it when it is freed, so that
    /// two readings are comparable.
    ///
    /// `mallopt` is declared in glibc's `malloc.h`, which Swift does not import.
    static func disableAllocationReuse() {
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let set = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        let mappingThreshold: Int32 = -3
        _ = set(mappingThreshold, 128 * 1024)
    }

    private static func readContents(of path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}

/// Counts the memory allocations of the calling thread; available only if `Benchmarks/count-allocations.c` is
/// preloaded.
struct ThreadAllocationCounter {
    private let readAllocationCounter: @convention(c) () -> Int

    init?() {
        guard let symbol = dlsym(nil, "allocations_of_this_thread") else { return nil }
        readAllocationCounter = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
    }

    var allocationCount: Int { readAllocationCounter() }
}
