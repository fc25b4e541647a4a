import Glibc

/// A PDF or video on this machine that is sent to the server, held open so that it can be read again after a lost
/// connection.
public final class SlidesFile: Sendable {
    public let path: String
    public let byteCount: Int
    private let descriptor: Int32

    /// The reason why a file cannot be sent.
    public enum Fault: Error, Hashable, Sendable {
        /// The text is the system's reason.
        case unreadable(reason: String)
        case noPDF
        case tooLarge(byteCount: Int, limit: Int)
    }

    /// The use of a file: it decides the message that carries it and its largest size.
    public enum Kind: Sendable { case slides, video }

    /// The last part of the path.
    public var name: String { String(path.split(separator: "/").last ?? "") }

    /// Opens a file, and checks what can be checked without reading all of it.
    public init(
        path: String, kind: Kind = .slides, limits: PresentingLimits = PresentingLimits()
    ) throws(Fault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(reason: String(cString: strerror(errno))) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .unreadable(reason: "it is no file")
        }
        (self.path, self.descriptor, byteCount) = (path, descriptor, Int(facts.st_size))
        let limit = kind == .slides ? limits.largestPDF : limits.largestVideo
        guard byteCount <= limit else { throw .tooLarge(byteCount: byteCount, limit: limit) }
        // Some programs write a few bytes before the mark.
        guard kind == .video || Self.containsMark(bytes(at: 0, count: 1_024)) else { throw .noPDF }
    }

    deinit { Glibc.close(descriptor) }

    /// Up to `count` bytes from an offset; fewer at the end of the file, or if it cannot be read any more.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }

    private static func containsMark(_ bytes: [UInt8]) -> Bool {
        let mark = Array("%PDF-".utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: mark) }
    }
}
