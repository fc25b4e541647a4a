import Basics
import Foundation

/// A kind of video that browsers play, told from the first bytes of a file.
///
/// Only the container is known: a screen that cannot play what is inside says so itself.
public enum VideoFormat: String, CaseIterable, Sendable {
    case mp4
    case webm
    case ogg

    /// The number of bytes from which the format is told.
    public static let headLength = 64

    /// - Parameter head: the first bytes of the file.
    /// - Returns: nil for anything else, QuickTime and Matroska included, which most browsers refuse.
    public init?(head: [UInt8]) {
        if head.count >= 12, Array(head[4..<8]) == Array("ftyp".utf8) {
            guard Array(head[8..<12]) != Array("qt  ".utf8) else { return nil }
            self = .mp4
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), Self.contains("webm", in: head) {
            self = .webm
        } else if head.starts(with: "OggS".utf8) {
            self = .ogg
        } else {
            return nil
        }
    }

    /// Reads the format of a file; nil if it cannot be read, or is no video that browsers play.
    public init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: Self.headLength) else { return nil }
        self.init(head: Array(head))
    }

    public var mediaType: String { "video/" + rawValue }

    private static func contains(_ word: String, in bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }
}

/// A file that is no video which browsers play.
public struct VideoRefusal: Explained {
    public let sentence =
        "This is no video that browsers play; send MP4 (H.264 with AAC), WebM or Ogg. "
        + "HandBrake and ffmpeg make them of other files."

    public init() {}
}
