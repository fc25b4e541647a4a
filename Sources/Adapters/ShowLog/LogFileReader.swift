import Foundation

/// The lines of one file, read piece by piece: memory stays at one line, however long the file.
struct LogFileReader {
    /// A longer line is none of ours: a snapshot of a whole evening has some hundred kilobytes.
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

    /// Bytes at the end of the file that are no whole line; known once ``next()`` has given nil.
    var tornBytes: Int { hasEnded ? buffer.count - start : 0 }

    /// The next line without its break; nil at the end. What has no break at the end is not a line: it was
    /// torn when the writer ended.
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

/// Closes a file when nobody reads it any more.
final class OwnedDescriptor: Sendable {
    let number: Int32

    /// - Throws: ``ShowLogFault/unreadable(path:reason:)`` also where the path is no plain file.
    init(reading path: String) throws(ShowLogFault) {
        // Without O_NONBLOCK, opening a named pipe waits for a writer.
        number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(path: path, reason: ShowLogFault.systemText()) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a plain file")
        }
    }

    deinit { close(number) }
}
