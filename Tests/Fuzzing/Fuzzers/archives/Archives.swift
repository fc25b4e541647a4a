import Foundation
import FuzzDriver
import Platform
import TabFiles

/// The containers of tabs: a Guitar Pro 6 file, and ZIP files as of `.gp` and `.mxl`; the first byte chooses one.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    if start.pointee % 2 == 0 {
        _ = try? GPXContainer.scoreFile(bytes, name: "tab")
        _ = try? GPXContainer.scoreFile(Array("BCFZ".utf8) + bytes, name: "tab")
    } else {
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
        var limits = ZipLimits(mostEntries: 100, mostFileBytes: 8 << 20, mostBytes: 16 << 20)
        limits.mostPathParts = 8
        guard let zip = try? ZipReader(path: path, limits: limits) else { return 0 }
        for entry in zip.entries {
            guard let content = try? zip.readFile(entry) else { continue }
            precondition(content.count == entry.unpackedByteCount, "a file has another length than was said")
        }
    }
    return 0
}

/// In memory; a disk would be slower than what is tried.
private let path = "/dev/shm/baton-fuzz-\(getpid()).zip"

@_cdecl("archives_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    atexit { unlink(path) }
    return runFuzzer(count, arguments) { fuzz($0, $1) }
}
