import Foundation

/// A folder that is gone when the test is over.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "show-log-" + UUID().uuidString
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func bytes(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: path + "/" + name) ?? Data())
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) {
        let file = path + "/" + name
        try? FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        precondition(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
    }
}
