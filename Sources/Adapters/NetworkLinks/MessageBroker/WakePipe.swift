import Glibc

/// Wakes a thread that waits in poll(2). Writing never blocks. Several wake-ups before the thread reads the pipe
/// count as one.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Opens the pipe; nil if the process has no file descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        // A full pipe already wakes the reader.
        _ = Glibc.write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while Glibc.read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
