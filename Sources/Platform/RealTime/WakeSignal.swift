import Glibc
import Synchronization

/// Wakes a sleeping thread without making the caller wait.
///
/// Uses a pipe whose ends never block. ``ring()`` writes one byte; it is the only system call that a real-time thread
/// makes. It never waits: if the pipe is full, the listener has been woken already. Several rings count as one if the
/// listener has not looked in between. There may be one listener at a time.
public final class WakeSignal: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    public init() throws(RealTimeError) {
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard made == 0 else { throw .wakePipeNotOpened(errno: errno) }
        (readEnd, writeEnd) = ends
        for end in [readEnd, writeEnd] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the listener. Real-time threads may call this, because it never waits.
    public func ring() {
        var one: UInt8 = 1
        _ = write(writeEnd, &one, 1)
    }

    /// Waits until ``ring()`` is called. Call this on a thread that may sleep, never in a task.
    /// - Returns: false if the time ran out first.
    public func wait(milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) == 1 else { return false }
        var rings: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while read(readEnd, &rings, MemoryLayout.size(ofValue: rings)) > 0 {}
        return true
    }

    /// Returns the calls of ``ring()`` as an asynchronous sequence. Calls that nobody has consumed yet count as one.
    /// One thread waits for all of them. The sequence and its thread end when its task is cancelled or the sequence is
    /// dropped.
    public func ringStream() throws(RealTimeError) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = try RealTimeThread(name: "doorbell", priority: nil) { stop in
            while !stop.isMade {
                if self.wait(milliseconds: 1000), !stop.isMade { continuation.yield() }
            }
        }
        continuation.onTermination = { _ in
            listener.requestStop()
            self.ring()
        }
        return stream
    }
}
