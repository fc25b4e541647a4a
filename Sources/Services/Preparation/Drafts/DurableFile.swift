import Foundation

/// Files that are on the disk when the call returns.
enum DurableFile {
    /// Replaces a file. At any moment there is either the complete old or the complete new one.
    /// - Throws: ``DraftFault/notWritten(reason:)``; the old file is then unchanged.
    /// - Parameter isPrivate: true for a file that only its owner may read.
    static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = true) throws(DraftFault) {
        let unfinished = unfinishedPath(path)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw .notWritten(reason: systemReason()) }
        let reason = append(bytes, to: descriptor)
        close(descriptor)
        if let reason {
            unlink(unfinished)
            throw .notWritten(reason: reason)
        }
        guard rename(unfinished, path) == 0 else {
            let reason = systemReason()
            unlink(unfinished)
            throw .notWritten(reason: reason)
        }
        flush(folder: (path as NSString).deletingLastPathComponent)
    }

    /// The file that becomes another one when it is complete.
    static func unfinishedPath(_ path: String) -> String { path + ".unfinished" }

    /// Writes bytes at a descriptor's position and flushes them to the disk.
    /// - Returns: the reason of a failure; nil on success.
    static func append(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        let failure = bytes.withUnsafeBytes { bytes -> String? in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return systemReason() }
                written += count
            }
            return nil
        }
        return failure ?? (fsync(descriptor) == 0 ? nil : systemReason())
    }

    /// Makes a folder, with its parents if they are missing.
    /// - Parameter isPrivate: true for folders that only their owner may open.
    static func makeFolder(_ path: String, isPrivate: Bool = true) throws(DraftFault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: isPrivate ? [.posixPermissions: 0o700] : nil)
        } catch {
            throw .notWritten(reason: "the folder “\((path as NSString).lastPathComponent)” cannot be made")
        }
    }

    /// Makes a folder inside another one, with the folders between them. The outer one is never made, so that nothing
    /// comes back of a piece that was deleted meanwhile.
    static func makeFolder(_ inner: String, inside folder: String) throws(DraftFault) {
        var path = folder
        for name in inner.split(separator: "/") {
            path += "/" + name
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw .notWritten(reason: "the folder “\(name)” cannot be made")
            }
        }
    }

    /// Flushes a folder's list of files to the disk.
    static func flush(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Flushes a file that something else wrote to the disk.
    static func flush(file: String) throws(DraftFault) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notWritten(reason: systemReason()) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .notWritten(reason: systemReason()) }
    }

    /// The size of a file in bytes; nil if there is none.
    static func byteCount(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private static func systemReason() -> String { String(cString: strerror(errno)) }
}
