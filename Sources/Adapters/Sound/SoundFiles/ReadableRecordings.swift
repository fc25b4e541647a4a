import Foundation
import Synchronization

/// Gives each recording that people bring as one that ``SoundFileReader`` reads.
///
/// Converted recordings lie in a temporary folder that is deleted with this object, or by the next one if the program
/// was killed.
public final class ReadableRecordings: Sendable {
    private static let prefix = "baton-sound-"

    private let folder: URL
    private let madePaths = Mutex<[String: String]>([:])

    public init() {
        let all = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: all.path)) ?? [] {
            guard name.hasPrefix(Self.prefix),
                let process = name.dropFirst(Self.prefix.count).split(separator: "-").first.flatMap({
                    Int32($0)
                }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: all.appending(path: name))
        }
        folder = all.appending(path: "\(Self.prefix)\(getpid())-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a recording that ``SoundFileReader`` reads, as long as this object lives: the file itself, or what
    /// ffmpeg made of it.
    /// - Throws: the error of ``SoundConversion/makeReadable(_:in:)``.
    public func path(of recording: String) async throws(SoundFileError) -> String {
        if let made = known(recording) { return made }
        return keep(try await SoundConversion.makeReadable(recording, in: folder), recording)
    }

    /// Does the same and blocks the thread meanwhile, for work that is not asynchronous.
    public func pathBlocking(of recording: String) throws(SoundFileError) -> String {
        if let made = known(recording) { return made }
        return keep(try SoundConversion.makeReadableBlocking(recording, in: folder), recording)
    }

    private func known(_ recording: String) -> String? {
        if let made = madePaths.withLock({ $0[recording] }) { return made }
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return nil
    }

    private func keep(_ made: String, _ recording: String) -> String {
        madePaths.withLock { $0[recording] = made }
        return made
    }
}
