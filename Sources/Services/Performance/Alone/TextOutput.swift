import Basics
import Glibc
import Hosting
import Platform
import Synchronization

/// A file, pipe or terminal for text output, which may fail or block at any time.
///
/// Errors are counted, not thrown, because a full disk or a closed pipe must not end a run. If nobody reads a pipe,
/// only the writing thread is blocked, and only until that thread is told to stop.
package final class TextOutput: Sendable {
    package let name: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let failedWrites = Atomic<Int>(0)
    private let newestErrorCode = Atomic<Int32>(0)

    /// Opens a file for writing, or uses standard output.
    /// - Parameter path: the file, which is replaced if it exists; `-` for standard output.
    package init(path: String) throws {
        guard path != "-" else {
            (name, descriptor, ownsDescriptor) = ("standard output", STDOUT_FILENO, false)
            return
        }
        let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else {
            throw ExplainedError(
                "“\(path)” cannot be written (\(String(cString: strerror(errno)))); "
                    + "check the folder and its permissions.")
        }
        (name, descriptor, ownsDescriptor) = ("“\(path)”", opened, true)
    }

    package init(standard descriptor: Int32) {
        (name, self.descriptor, ownsDescriptor) = ("the terminal", descriptor, false)
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// The number of failed writes.
    package var failedWriteCount: Int { failedWrites.load(ordering: .relaxed) }

    /// The system's message about the newest failed write; nil if all succeeded.
    package var newestErrorMessage: String? {
        let code = newestErrorCode.load(ordering: .relaxed)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    /// Writes the whole text, or counts a failure.
    /// - Parameter stop: once this is requested, the method waits at most a second for a blocked pipe.
    package func write(_ text: String, until stop: StopRequest? = nil) {
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
                // A pipe that is ready takes 4096 bytes (`PIPE_BUF`) without blocking.
                let part = UnsafeBufferPointer(rebasing: rest.prefix(4096))
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count < 0, errno != EINTR, errno != EAGAIN { return errno }
                rest = rest.dropFirst(max(count, 0))
            }
            return 0
        }
        guard code != 0 else { return }
        newestErrorCode.store(code, ordering: .relaxed)
        failedWrites.wrappingAdd(1, ordering: .relaxed)
    }
}
