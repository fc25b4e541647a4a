import Foundation
import Platform
import WebServer

/// The files of pieces in preparation. They are on the disk when the call returns.
enum DraftFiles {
    /// Replaces a file; see ``DurableFile``.
    /// - Throws: ``Refusal`` `not-written`; the old file is then unchanged.
    /// - Parameter isPrivate: true for a file that only its owner may read.
    static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = true) throws(Refusal) {
        try saying { () throws(FileWriteError) in
            try DurableFile.write(bytes, to: path, isPrivate: isPrivate)
        }
    }

    /// Makes a folder, with its parents if they are missing.
    static func makeFolder(_ path: String, isPrivate: Bool = true) throws(Refusal) {
        try saying { () throws(FileWriteError) in try DurableFile.makeFolder(path, isPrivate: isPrivate) }
    }

    /// Makes a folder inside another one, with the folders between them. The outer one is never made, so that nothing
    /// comes back of a piece that was deleted meanwhile.
    static func makeFolder(_ inner: String, inside folder: String) throws(Refusal) {
        var path = folder
        for name in inner.split(separator: "/") {
            path += "/" + name
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw .notWritten(reason: "the folder “\(name)” cannot be made")
            }
        }
    }

    /// Flushes a folder's list of files to the disk, as far as that is possible.
    static func flush(folder: String) { try? DurableFile.flush(folder) }

    /// Flushes a file that something else wrote to the disk.
    static func flush(file: String) throws(Refusal) {
        try saying { () throws(FileWriteError) in try DurableFile.flush(file) }
    }

    /// The size of a file in bytes; nil if there is none.
    static func byteCount(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private static func saying(_ work: () throws(FileWriteError) -> Void) throws(Refusal) {
        do throws(FileWriteError) { try work() } catch { throw .notWritten(reason: error.reason) }
    }
}
