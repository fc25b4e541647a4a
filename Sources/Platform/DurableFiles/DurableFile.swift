import Foundation

/// Files that are on the disk when the call returns, and that a kill or a power cut leaves as they were or as they shall
/// be.
public enum DurableFile {
    /// Replaces a file. At any moment there is either the complete old or the complete new one. Writers of one file, in
    /// this and in other processes, take turns.
    /// - Parameter isPrivate: true for a file that only its owner may read.
    /// - Throws: ``FileWriteError``; the old file is then unchanged.
    public static func write(
        _ bytes: some Sequence<UInt8>, to path: String, isPrivate: Bool = false
    ) throws(FileWriteError) {
        let unfinished = unfinishedPath(path)
        let descriptor = try openAlone(unfinished, isPrivate ? 0o600 : 0o644)
        defer { close(descriptor) }
        do throws(FileWriteError) {
            guard ftruncate(descriptor, 0) == 0 else { throw FileWriteError(unfinished) }
            try append(Array(bytes), to: descriptor, path: unfinished)
            guard rename(unfinished, path) == 0 else { throw FileWriteError(path) }
        } catch {
            unlink(unfinished)
            throw error
        }
        try flush((path as NSString).deletingLastPathComponent)
    }

    /// The file that becomes another one when it is complete.
    public static func unfinishedPath(_ path: String) -> String { path + ".unfinished" }

    /// Opens a file that no other writer has.
    private static func openAlone(_ path: String, _ mode: mode_t) throws(FileWriteError) -> Int32 {
        while true {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw FileWriteError(path) }
            var (opened, named) = (stat(), stat())
            // Whoever had it may have given it its final name meanwhile.
            if flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &opened) == 0, stat(path, &named) == 0,
                opened.st_ino == named.st_ino, fchmod(descriptor, mode) == 0
            {
                return descriptor
            }
            let failure = errno
            close(descriptor)
            guard [0, ENOENT, EINTR].contains(failure) || opened.st_ino != named.st_ino else {
                throw FileWriteError(path, failure)
            }
        }
    }

    /// Writes bytes at a descriptor's position and flushes them to the disk.
    /// - Parameter path: the file, for the error.
    public static func append(
        _ bytes: [UInt8], to descriptor: Int32, path: String
    ) throws(FileWriteError) {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
        guard isWritten, fsync(descriptor) == 0 else { throw FileWriteError(path) }
    }

    /// Waits until a file that something else wrote, or the list of files in a folder, is on the disk.
    public static func flush(_ path: String) throws(FileWriteError) {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileWriteError(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileWriteError(path) }
    }

    /// Gives a complete file or folder its name; what has that name is replaced.
    public static func move(_ path: String, to place: String) throws(FileWriteError) {
        guard rename(path, place) == 0 else { throw FileWriteError(place) }
    }

    /// Makes a folder, with its parents if they are missing.
    /// - Parameter isPrivate: true for folders that only their owner may open.
    public static func makeFolder(_ path: String, isPrivate: Bool = false) throws(FileWriteError) {
        let mode: mode_t = isPrivate ? 0o700 : 0o755
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        let above = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !above.isEmpty, above != path else { throw FileWriteError(path) }
        try makeFolder(above, isPrivate: isPrivate)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileWriteError(path) }
    }
}

/// A file that could not be written.
public struct FileWriteError: Error, Equatable {
    public let path: String
    /// The system's number of the error.
    public let number: Int32

    public init(_ path: String, _ number: Int32 = errno) { (self.path, self.number) = (path, number) }

    public var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
    /// The system's reason.
    public var reason: String { String(cString: strerror(number)) }
    public var sentence: String {
        "\(path) cannot be written: \(reason). Check its folder and the disk's space, then try again."
    }
}
