import Foundation

/// Reads the lines of one file piece by piece: memory for one line, however long the file is.
struct LogFileReader {
    /// A longer line is invalid: the snapshot of a whole evening has some hundred kilobytes.
    static let longestLineBytes = 16 << 20

    let path: String
    private let descriptor: OwnedDescriptor
    private var buffer: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    /// Number of the line last read, from 1.
    private(set) var line = 0

    init(path: String) throws(ShowLogFault) {
        self.path = path
        descriptor = try OwnedDescriptor(reading: path)
    }

    /// Bytes of an incomplete line at the end of the file; known once ``next()`` has returned nil.
    var incompleteBytes: Int { hasEnded ? buffer.count - start : 0 }

    /// The next line without its line break; nil at the end. Bytes without a line break at the end are no line: the
    /// writer ended in the middle of it.
    mutating func next() throws(ShowLogFault) -> [UInt8]? {
        var searched = start
        while true {
            if let end = lineBreak(from: searched) {
                let found = Array(buffer[start..<end])
                start = end + 1
                line += 1
                return found
            }
            searched = buffer.count
            guard !hasEnded else { return nil }
            guard buffer.count - start <= Self.longestLineBytes else {
                throw .damaged(path: path, line: line + 1, what: "the line is longer than any of a show log")
            }
            searched -= start
            buffer.removeFirst(start)
            start = 0
            try fill()
        }
    }

    private func lineBreak(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, 0x0A, bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func fill() throws(ShowLogFault) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor.number, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: ShowLogFault.systemText()) }
            hasEnded = count == 0
            buffer += piece.prefix(count)
            return
        }
    }
}

/// Closes a file descriptor when it is no longer used.
final class OwnedDescriptor: Sendable {
    let number: Int32

    /// - Throws: ``ShowLogFault/unreadable(path:reason:)``, also if the path is not a regular file.
    init(reading path: String) throws(ShowLogFault) {
        // O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
        number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(path: path, reason: ShowLogFault.systemText()) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a plain file")
        }
    }

    deinit { close(number) }
}
