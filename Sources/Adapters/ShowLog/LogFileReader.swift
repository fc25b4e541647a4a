import Foundation

/// Reads one log file line by line. It holds only one line in memory, however long the file is.
struct LogFileReader {
    /// The maximum length of a line in bytes; a longer line is invalid. The snapshot of a whole evening has some
    /// hundred kilobytes.
    static let longestLineBytes = 16 << 20

    let path: String
    private let descriptor: OwnedFileDescriptor
    private var buffer: [UInt8] = []
    private var unreadOffset = 0
    private var hasEnded = false
    /// The number of the line that was read last, from 1; 0 before the first.
    private(set) var lineNumber = 0

    init(path: String) throws(ShowLogFault) {
        self.path = path
        descriptor = try OwnedFileDescriptor(reading: path)
    }

    /// The number of bytes after the last line break of the file. It is known once ``next()`` has returned nil; until
    /// then it is 0.
    var incompleteLastLineByteCount: Int { hasEnded ? buffer.count - unreadOffset : 0 }

    /// Reads the next line and returns it without its line break; nil at the end of the file.
    ///
    /// Bytes after the last line break are not a line: the writing process ended in the middle of it.
    mutating func next() throws(ShowLogFault) -> [UInt8]? {
        var searched = unreadOffset
        while true {
            if let end = findLineBreak(from: searched) {
                let found = Array(buffer[unreadOffset..<end])
                unreadOffset = end + 1
                lineNumber += 1
                return found
            }
            searched = buffer.count
            guard !hasEnded else { return nil }
            guard buffer.count - unreadOffset <= Self.longestLineBytes else {
                throw .damaged(
                    path: path, line: lineNumber + 1, what: "the line is longer than any of a show log")
            }
            searched -= unreadOffset
            buffer.removeFirst(unreadOffset)
            unreadOffset = 0
            try readIntoBuffer()
        }
    }

    private func findLineBreak(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, 0x0A, bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func readIntoBuffer() throws(ShowLogFault) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor.number, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .unreadable(path: path, reason: ShowLogFault.lastSystemErrorText())
            }
            hasEnded = count == 0
            buffer += piece.prefix(count)
            return
        }
    }
}

/// A file descriptor that is closed when this object is released.
final class OwnedFileDescriptor: Sendable {
    let number: Int32

    /// - Throws: ``ShowLogFault/unreadable(path:reason:)``, also if the path is not a regular file.
    init(reading path: String) throws(ShowLogFault) {
        // O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
        number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(path: path, reason: ShowLogFault.lastSystemErrorText()) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a plain file")
        }
    }

    deinit { close(number) }
}
