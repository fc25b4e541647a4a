import Foundation
import Platform

/// A file that is being written. It appears under its name only when it is complete and on the disk; standard output is
/// written at once. Others on this machine may not read it.
public final class DiaryFileSink {
    private let path: String?
    private let temporaryPath: String
    private let handle: FileHandle
    private var buffer = Data()
    private var isFinished = false

    /// Begins a file.
    /// - Parameter path: the file's path; nil for standard output.
    public init(path: String?) throws {
        self.path = path
        temporaryPath = (path ?? "") + ".\(UUID().uuidString).part"
        guard let path else {
            handle = .standardOutput
            return
        }
        guard
            FileManager.default.createFile(
                atPath: temporaryPath, contents: nil, attributes: [.posixPermissions: 0o600]),
            let opened = FileHandle(forWritingAtPath: temporaryPath)
        else { throw DiaryFileFault.unwritable(file: path, reason: "its folder may not be written") }
        handle = opened
    }

    deinit { if path != nil, !isFinished { try? FileManager.default.removeItem(atPath: temporaryPath) } }

    public func write(_ text: String) throws { try write(Data(text.utf8)) }

    public func write(_ data: Data) throws {
        buffer += data
        if buffer.count > 1 << 16 { try flush() }
    }

    private func flush() throws {
        do { try handle.write(contentsOf: buffer) } catch {
            throw DiaryFileFault.unwritable(file: path ?? "standard output", reason: "writing failed")
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Completes the file.
    public func finish() throws {
        try flush()
        guard let path else { return }
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw DiaryFileFault.unwritable(file: path, reason: "flushing it to the disk failed")
        }
        do throws(FileWriteError) { try DurableFile.move(temporaryPath, to: path) } catch {
            throw DiaryFileFault.unwritable(file: path, reason: error.reason)
        }
        isFinished = true
    }
}
