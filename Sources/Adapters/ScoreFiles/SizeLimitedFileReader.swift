import Foundation

/// Reads whole regular files up to a size limit.
enum SizeLimitedFileReader {
    /// - Parameter limitBytes: the size of the largest accepted file; nothing beyond this is read.
    /// - Throws: ``MeasureTimesError`` for a file that cannot be opened, is not regular (a pipe would never end) or
    ///   is too large.
    static func readBytes(at path: String, limitBytes: Int) throws(MeasureTimesError) -> [UInt8] {
        // O_NONBLOCK, because opening a named pipe would otherwise wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notRegularFile(path: path)
        }
        guard status.st_size <= limitBytes else { throw .tooLarge(path: path, limitBytes: limitBytes) }

        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
            // The file may have grown since its size was read.
            guard bytes.count <= limitBytes else { throw .tooLarge(path: path, limitBytes: limitBytes) }
        }
    }
}
