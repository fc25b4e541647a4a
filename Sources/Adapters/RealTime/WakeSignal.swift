import Glibc
import Synchronization

/// Wakes a sleeping thread without making the caller wait.
///
/// Implemented as a pipe whose ends never block. Ringing is one `write(2)` of one byte, the only system call that a
/// real-time lane makes; it is bounded and never waits (a full pipe already wakes the listener). Several rings before
/// the listener looks count as one. One listener at a time.
public final class WakeSignal: Sendable {
    private let listening: Int32
    private let ringing: Int32

    public init() throws(RealTimeError) {
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) {
            pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard made == 0 else { throw .doorbellNotInstalled(errno: errno) }
        (listening, ringing) = ends
        for end in [listening, ringing] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(listening)
        close(ringing)
    }

    /// Wakes the listener. Lane: capture, follow; never waits.
    public func ring() {
        var one: UInt8 = 1
        _ = write(ringing, &one, 1)
    }

    /// Waits until the bell rings. Lane: follow, or a thread of its own; never in a task.
    /// - Returns: false if the time ran out first.
    public func wait(milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) == 1 else { return false }
        var rings: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while read(listening, &rings, MemoryLayout.size(ofValue: rings)) > 0 {}
        return true
    }

    /// The rings as an asynchronous sequence, for services. One thread sleeps for all of them; rings that nobody has
    /// consumed yet count as one. The sequence and its thread end when its task is cancelled or the sequence is
    /// dropped.
    public func rings() throws(RealTimeError) -> AsyncStream<Void> {
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
