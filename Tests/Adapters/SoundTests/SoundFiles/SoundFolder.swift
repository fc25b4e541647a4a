import Basics
import Foundation
import Sound

/// A folder of recordings that a test makes for itself; gone with the last use of it.
final class SoundFolder: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sounds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes interleaved samples and returns the path.
    @discardableResult
    func write(
        _ samples: [Float], as name: String, hertz: Double = 48_000, channels: Int = 1,
        depth: SampleDepth = .integer16
    ) throws -> String {
        let writer = try SoundFileWriter(
            path: path(name), rate: SampleRate(hertz: hertz), channels: channels, depth: depth)
        try writer.write(samples)
        try writer.close()
        return path(name)
    }

    func write(bytes: some Sequence<UInt8>, as name: String) throws -> String {
        try Data(bytes).write(to: folder.appending(path: name))
        return path(name)
    }

    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}

func sine(_ hertz: Double, seconds: Double, rate: Double = 48_000, amplitude: Float = 0.5) -> [Float] {
    (0..<Int(seconds * rate)).map { amplitude * Float(sin(2 * .pi * hertz * Double($0) / rate)) }
}
