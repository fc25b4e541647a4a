import Foundation

/// A file that can only be extended at its end. Tests replace the disk by another type with this protocol, which
/// simulates failures.
protocol AppendOnlyFile: Sendable {
    var path: String { get }
    /// Writes the bytes at the end of the file with one system call.
    func append(_ bytes: [UInt8]) -> AppendOutcome
    /// Shortens the file to this length, to remove an incomplete write.
    /// - Returns: false if the system call failed.
    func cut(toBytes length: Int) -> Bool
    /// Flushes the file to the disk.
    /// - Returns: the error number (errno) of the failed system call, or nil on success.
    func flushToDisk() -> Int32?
}

enum AppendOutcome: Equatable {
    case written
    /// The system call wrote only the first `bytes` bytes.
    case incomplete(bytes: Int, errno: Int32)
}

/// Creates the file at a path and opens it for appending. Tests pass a closure whose files fail.
typealias AppendOnlyFileOpener = @Sendable (_ path: String) throws(OpeningFailure) -> any AppendOnlyFile

struct OpeningFailure: Error, Equatable { var errno: Int32 }

/// A new file on the disk, opened for appending. Only its owner can read it (0600).
final class AppendOnlyDiskFile: AppendOnlyFile {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(OpeningFailure) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC
        descriptor = Foundation.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw OpeningFailure(errno: errno) }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) -> AppendOutcome {
        while true {
            let count = write(descriptor, bytes, bytes.count)
            if count == bytes.count { return .written }
            if count < 0, errno == EINTR { continue }
            // A short write without an error means that the disk is full.
            return .incomplete(bytes: max(count, 0), errno: count < 0 ? errno : ENOSPC)
        }
    }

    func cut(toBytes length: Int) -> Bool { ftruncate(descriptor, off_t(length)) == 0 }

    func flushToDisk() -> Int32? { fdatasync(descriptor) == 0 ? nil : errno }

    @Sendable static func open(_ path: String) throws(OpeningFailure) -> any AppendOnlyFile {
        try AppendOnlyDiskFile(path: path)
    }
}
