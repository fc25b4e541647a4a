import Foundation

/// A file that only grows; an interface, so that a test can play a disk that fails.
protocol AppendOnlyFile: Sendable {
    var path: String { get }
    /// Writes at the end with one call.
    func append(_ bytes: [UInt8]) -> AppendOutcome
    /// Takes back what a broken-off write left.
    func cut(toBytes length: Int) -> Bool
    /// Brings what was written to the disk itself.
    /// - Returns: an error number, or nil.
    func sync() -> Int32?
}

enum AppendOutcome: Equatable {
    case written
    /// `bytes` of it stand in the file.
    case brokenOff(bytes: Int, errno: Int32)
}

/// Opens files: the system's, or a test's.
typealias FileOpening = @Sendable (_ path: String) throws(OpeningFailure) -> any AppendOnlyFile

struct OpeningFailure: Error, Equatable { var errno: Int32 }

/// A file of the system, opened for appending, readable by its owner alone.
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
            // A short write without an error: the next byte would have found no room.
            return .brokenOff(bytes: max(count, 0), errno: count < 0 ? errno : ENOSPC)
        }
    }

    func cut(toBytes length: Int) -> Bool { ftruncate(descriptor, off_t(length)) == 0 }

    func sync() -> Int32? { fdatasync(descriptor) == 0 ? nil : errno }

    @Sendable static func open(_ path: String) throws(OpeningFailure) -> any AppendOnlyFile {
        try SystemFile(path: path)
    }
}
