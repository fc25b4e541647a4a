import Foundation
import Glibc

/// Time that this thread has spent on a core. Neighbours on a shared machine do not count.
enum ThreadClock {
    /// Cost: one system call, some 600 ns.
    static var nanoseconds: Int64 {
        var reading = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &reading)
        return Int64(reading.tv_sec) &* 1_000_000_000 &+ Int64(reading.tv_nsec)
    }
}

/// Memory that this process holds now, and the most it held.
enum ResidentMemory {
    static var bytes: Int { status("VmRSS:") }

    /// The most since ``forgetPeak()``.
    static var peakBytes: Int { status("VmHWM:") }

    /// A line of `/proc/self/status`, whose figures are exact, unlike those of `statm` on some kernels.
    private static func status(_ name: String) -> Int {
        let line = text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }

    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// From now on every array of more than 128 KiB comes from the system when it is made and goes back when it
    /// is not needed any longer, so that two readings can be compared.
    ///
    /// `mallopt` belongs to the GNU library's own `malloc.h`, which Swift does not see.
    static func keepNothingForLater() {
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let set = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        let mappingThreshold: Int32 = -3
        _ = set(mappingThreshold, 128 * 1024)
    }

    private static func text(of path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}

/// How often this thread has allocated memory; known only where `Benchmarks/count-allocations.c` is loaded.
struct AllocationCount {
    private let read: @convention(c) () -> Int

    init?() {
        guard let symbol = dlsym(nil, "allocations_of_this_thread") else { return nil }
        read = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
    }

    var allocations: Int { read() }
}
