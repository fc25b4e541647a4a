import Glibc
import RealTime
import Synchronization

/// A file, a pipe or a terminal that text is written to and that may fail or stall at any time.
///
/// Failures are counted, not thrown: a full disk or a reader that went away ends nothing. A stalled reader
/// holds up the thread that writes, and that one only until it is told to stop.
final class LiveOutput: Sendable {
    let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    private let failures = Atomic<Int>(0)
    private let newestError = Atomic<Int32>(0)

    /// - Parameter path: a file, which is replaced, or `-` for standard output.
    init(path: String) throws(LiveFailure) {
        guard path != "-" else {
            (name, descriptor, isOwned) = ("standard output", STDOUT_FILENO, false)
            return
        }
        let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else {
            throw LiveFailure(
                sentence: "“\(path)” cannot be written (\(String(cString: strerror(errno)))); "
                    + "check the folder and its permissions.")
        }
        (name, descriptor, isOwned) = ("“\(path)”", opened, true)
    }

    init(standard descriptor: Int32) {
        (name, self.descriptor, isOwned) = ("the terminal", descriptor, false)
    }

    deinit { if isOwned { close(descriptor) } }

    /// Pieces that were not written.
    var failed: Int { failures.load(ordering: .relaxed) }

    /// What the system said about the newest failure.
    var problem: String? {
        let code = newestError.load(ordering: .relaxed)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Writes all of a text, or counts a failure.
    /// - Parameter stop: once made, a reader that does not take the text is waited for no longer than a second.
    func write(_ text: String, until stop: StopRequest? = nil) {
        guard !text.isEmpty else { return }
        var text = text
        let code = text.withUTF8 { bytes in
            var rest = bytes[...]
            var patience = 10
            while !rest.isEmpty {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                let isReady = poll(&ready, 1, 100) != 0
                if !isReady {
                    if stop?.isMade ?? false { patience -= 1 }
                    if patience == 0 { return EAGAIN }
                    continue
                }
                // A pipe that is ready takes so many bytes without waiting.
                let part = UnsafeBufferPointer(rebasing: rest.prefix(4096))
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0, errno != EINTR, errno != EAGAIN { return errno }
                rest = rest.dropFirst(max(count, 0))
            }
            return 0
        }
        guard code != 0 else { return }
        newestError.store(code, ordering: .relaxed)
        failures.wrappingAdd(1, ordering: .relaxed)
    }
}
