import Foundation
import Synchronization

@testable import ShowLog

/// Files in memory on a disk of a size; what finds no room breaks off in the middle, as on a real one.
final class BrokenDisk: Sendable {
    struct State {
        var files: [String: [UInt8]] = [:]
        var roomBytes = Int.max
        var errno: Int32 = ENOSPC
        var cannotCut = false
        var writes = 0
        var flushes = 0
        /// The error number of each flush; nil if flushes succeed.
        var flushErrno: Int32?
    }
    /// Called in each flush, before it is over.
    let whileFlushing = Mutex<@Sendable () -> Void>({})
    let state = Mutex(State())

    var open: AppendOnlyFileOpener {
        { path throws(OpeningFailure) in
            let failure: Int32? = self.state.withLock { state in
                if state.files[path] != nil { return EEXIST }
                if state.errno == EROFS, state.roomBytes == 0 { return EROFS }
                state.files[path] = []
                return nil
            }
            if let failure { throw OpeningFailure(errno: failure) }
            return BrokenFile(path: path, disk: self)
        }
    }

    func set(roomBytes: Int) { state.withLock { $0.roomBytes = roomBytes } }
    var paths: [String] { state.withLock { $0.files.keys.sorted() } }
    func text(_ path: String) -> String {
        state.withLock { String(decoding: $0.files[path] ?? [], as: UTF8.self) }
    }

    /// Puts what was written into a folder, to be read as a show.
    func save(to folder: ScratchFolder) {
        for path in paths {
            folder.write(Array(text(path).utf8), to: String(path.split(separator: "/").last!))
        }
    }
}

private struct BrokenFile: AppendOnlyFile {
    let path: String
    let disk: BrokenDisk

    func append(_ bytes: [UInt8]) -> AppendOutcome {
        disk.state.withLock { state in
            state.writes += 1
            let fits = min(state.roomBytes, bytes.count)
            state.files[path]! += bytes.prefix(fits)
            if state.roomBytes != .max { state.roomBytes -= fits }
            return fits == bytes.count ? .written : .incomplete(bytes: fits, errno: state.errno)
        }
    }

    func cut(toBytes length: Int) -> Bool {
        disk.state.withLock { state in
            guard !state.cannotCut else { return false }
            if state.roomBytes != .max { state.roomBytes += state.files[path]!.count - length }
            state.files[path]!.removeLast(state.files[path]!.count - length)
            return true
        }
    }

    func flushToDisk() -> Int32? {
        disk.whileFlushing.withLock { $0 }()
        return disk.state.withLock { state in
            state.flushes += 1
            return state.flushErrno
        }
    }
}
