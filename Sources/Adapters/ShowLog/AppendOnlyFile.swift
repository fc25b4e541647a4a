import Foundation

/// A file that only grows; a protocol, so that a test can simulate a failing disk.
protocol AppendOnlyFile: Sendable {
    var path: String { get }
    /// Writes at the end with one system call.
    func append(_ bytes: [UInt8]) -> AppendOutcome
    /// Shortens the file to remove an incomplete write.
    func cut(toBytes length: Int) -> Bool
    /// Flushes the file to the disk.
    /// - Returns: an errno, or nil on success.
    func sync() -> Int32?
}

enum AppendOutcome: Equatable {
    case written
    /// Only `bytes` of it were written.
    case incomplete(bytes: Int, errno: Int32)
}

/// Opens files: the system's, or a test's.
typealias FileOpening = @Sendable (_ path: String) throws(OpeningFailure) -> any AppendOnlyFile

struct OpeningFailure: Error, Equatable { var errno: Int32 }

/// A file of the operating system, opened for appending, readable only by its owner.
final class SystemFile: AppendOnlyFile {
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

    func sync() -> Int32? { fdatasync(descriptor) == 0 ? nil : errno }

    @Sendable static func open(_ path: String) throws(OpeningFailure) -> any AppendOnlyFile {
        try SystemFile(path: path)
    }
}
