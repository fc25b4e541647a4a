import Foundation
import Glibc
import Hosting
import Platform

/// Files of a replicated folder on this server's disk.
enum FolderFiles {
    /// The digest of a file; nil if it cannot be read to its end.
    /// Lets other work run after each megabyte.
    static func digest(of path: String) async -> Digest? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        var hash = SHA256()
        while true {
            do {
                guard let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty else {
                    return hash.finished()
                }
                bytes.withUnsafeBytes { hash.update($0) }
            } catch { return nil }
            await Task.yield()
        }
    }

    /// Gives a file the time of its original, by which both servers see that the two are the same.
    static func setTime(_ changedAt: Int64, of path: String) {
        let time = timespec(tv_sec: Int(changedAt / 1_000_000_000), tv_nsec: Int(changedAt % 1_000_000_000))
        _ = [time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) }
    }

    /// Appends to a file that is arriving.
    static func append(_ bytes: ArraySlice<UInt8>, to path: String) throws(ReplicationError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWriteFile(path: path, reason: errorText) }
        defer { close(descriptor) }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw .cannotWriteFile(path: path, reason: errorText)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until a file, or the list of files in a folder, is on the disk.
    static func flush(_ path: String) throws(ReplicationError) {
        try saying { () throws(FileWriteError) in try DurableFile.flush(path) }
    }

    static func move(_ path: String, to place: String) throws(ReplicationError) {
        try saying { () throws(FileWriteError) in try DurableFile.move(path, to: place) }
    }

    static func saying(_ work: () throws(FileWriteError) -> Void) throws(ReplicationError) {
        do throws(FileWriteError) { try work() } catch {
            throw .cannotWriteFile(path: error.path, reason: error.reason)
        }
    }

    static func makeFolder(_ path: String) throws(ReplicationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .cannotWriteFile(path: path, reason: "the folder cannot be made") }
    }

    static var errorText: String { String(cString: strerror(errno)) }
}
