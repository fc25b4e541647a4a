import Basics
import Content
import Foundation

/// The list of files that the audience loads, at one revision of the content.
struct RelayManifest: Codable, Equatable, Sendable {
    struct File: Codable, Equatable, Sendable {
        /// The path that phone apps request, such as `/images/peer.svg`; a path without a slash is a file that only the
        /// relay reads.
        var path: String
        /// The media type, as in the HTTP header.
        var type: String
        /// The SHA-256 digest of the file, in hexadecimal.
        var digest: String
        var byteCount: Int
        var partCount: Int
        /// A short name for the file. It stands in the MQTT topics of the file's parts.
        var slot: String
    }

    var revision: String
    /// The names of the pieces that changed with this revision.
    var changed: [String]
    /// The files, texts first, so that the audience can read before all pictures have arrived.
    var files: [File]

    /// The path of the XML file with the content of all pieces.
    static let piecesXMLPath = "pieces.xml"
    static let concertPath = "/api/audience/concert"
    static let pieceListPath = "/getPieces.php"
    static let glossaryPath = "/images/AppAssets/glossary.xml"
    static let textFilePaths: Set<String> = [piecesXMLPath, concertPath, pieceListPath, glossaryPath]

    /// The revision of a manifest without files: there is no concert any more.
    static let noConcert = "none"

    static let maximumFileCount = 200

    /// Decodes and validates a manifest.
    /// - Returns: nil if the payload is not a valid manifest.
    init?(_ payload: [UInt8]) {
        guard let read = try? JSONDecoder().decode(RelayManifest.self, from: Data(payload)),
            read.files.count <= Self.maximumFileCount, read.files.allSatisfy(\.isWithinLimits)
        else { return nil }
        self = read
    }

    init(revision: String, changed: [String], files: [File]) {
        self.revision = revision
        self.changed = changed
        self.files = files
    }

    var jsonPayload: [UInt8] { AudienceConcert.encodeJSON(self) }
}

extension RelayManifest.File {
    init(path: String, type: String, digest: String, byteCount: Int) {
        self.init(
            path: path, type: type, digest: digest, byteCount: byteCount,
            partCount: RelayFileParts.partCount(of: byteCount), slot: Self.topicSlotName(of: path))
    }

    var isTextFile: Bool { RelayManifest.textFilePaths.contains(path) }

    fileprivate var isWithinLimits: Bool {
        (0...RelayFileParts.maximumFileBytes).contains(byteCount)
            && partCount == RelayFileParts.partCount(of: byteCount)
            && path.utf8.count <= 300 && type.utf8.count <= 100 && slot.utf8.count <= 32
            && slot.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Makes a slot name from the path alone, so that a changed file replaces its older version at the broker.
    static func topicSlotName(of path: String) -> String {
        String(FNV1aHash.of(path.utf8), radix: 36)
    }
}
