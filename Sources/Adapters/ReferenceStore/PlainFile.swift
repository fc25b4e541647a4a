import Foundation
import Platform

/// Reads files as a whole.
enum PlainFile {
    /// Reads a regular file as a whole.
    static func readBytes(at path: String, limitBytes: Int) throws(ReferenceStoreError) -> [UInt8] {
        // O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: errnoText()) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a plain file")
        }
        guard status.st_size <= limitBytes else { throw .fileTooLarge(path: path, limitBytes: limitBytes) }
        let size = Int(status.st_size)
        var failure: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = read(descriptor, buffer.baseAddress! + filled, size - filled)
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = errnoText() }
                guard count > 0 else { return }
                filled += count
            }
        }
        if let failure { throw .unreadable(path: path, reason: failure) }
        return bytes
    }

    static func errnoText() -> String { String(cString: strerror(errno)) }
}

extension ModelSourceFile {
    /// Hashes a file of any length.
    /// - Complexity: O(bytes), some 2.5 ns a byte.
    public init(path: String) throws(ReferenceStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: PlainFile.errnoText()) }
        defer { close(descriptor) }
        var hash = SHA256()
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: PlainFile.errnoText()) }
            guard count > 0 else { break }
            block.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        self.init(file: URL(fileURLWithPath: path).lastPathComponent, digest: hash.finished())
    }
}
