import Digests
import Foundation

/// Reads and writes files as a whole. A write that fails leaves the old file.
enum AtomicFile {
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

    /// Writes a file by writing a temporary file, flushing it to the disk, and renaming it. At any moment there is
    /// either the complete old or the complete new file.
    static func save(_ bytes: [UInt8], to path: String) throws(ReferenceStoreError) {
        let unfinished = path + ".\(getpid()).unfinished"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .notWritten(path: path, reason: errnoText()) }
        let failure = writeAndFlush(descriptor, with: bytes)
        close(descriptor)
        if let failure {
            unlink(unfinished)
            throw .notWritten(path: path, reason: failure)
        }
        guard rename(unfinished, path) == 0 else {
            let reason = errnoText()
            unlink(unfinished)
            throw .notWritten(path: path, reason: reason)
        }
    }

    /// Makes a folder, with its parents if they are missing.
    static func makeFolder(_ path: String) throws(ReferenceStoreError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        let above = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !above.isEmpty, above != path else {
            throw .notWritten(path: path, reason: errnoText())
        }
        try makeFolder(above)
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw .notWritten(path: path, reason: errnoText())
        }
    }

    /// Flushes a folder's list of files to the disk.
    static func flush(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Writes all bytes to a file descriptor and flushes them to the disk.
    /// - Returns: the reason of a failure, nil on success.
    private static func writeAndFlush(_ descriptor: Int32, with bytes: [UInt8]) -> String? {
        let failure = bytes.withUnsafeBytes { bytes -> String? in
            var written = 0
            while written < bytes.count {
                let count = write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errnoText() }
                written += count
            }
            return nil
        }
        return failure ?? (fsync(descriptor) == 0 ? nil : errnoText())
    }

    static func errnoText() -> String { String(cString: strerror(errno)) }
}

extension ModelSourceFile {
    /// Hashes a file of any length.
    /// - Complexity: O(bytes), some 2.5 ns a byte.
    public init(path: String) throws(ReferenceStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: AtomicFile.errnoText()) }
        defer { close(descriptor) }
        var hash = SHA256()
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: AtomicFile.errnoText()) }
            guard count > 0 else { break }
            block.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        self.init(file: URL(fileURLWithPath: path).lastPathComponent, digest: hash.finished())
    }
}
