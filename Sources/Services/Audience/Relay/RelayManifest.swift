import Foundation

/// Which files make up what the audience loads, at one revision.
struct RelayManifest: Codable, Equatable, Sendable {
    struct File: Codable, Equatable, Sendable {
        /// As phones ask for it: `/images/peer.svg`; or a name without a slash, of what the relay itself reads.
        var path: String
        /// As HTTP names it.
        var type: String
        /// SHA-256, hexadecimal.
        var digest: String
        var byteCount: Int
        var partCount: Int
        /// In the topics of its parts.
        var slot: String
    }

    var revision: String
    /// Names of the pieces that changed with this revision.
    var changed: [String]
    /// Texts first, so that an audience reads before all pictures are there.
    var files: [File]

    /// All pieces, as XML.
    static let pieces = "pieces.xml"
    static let concert = "/api/audience/concert"
    static let pieceList = "/getPieces.php"
    static let glossary = "/images/AppAssets/glossary.xml"
    static let texts: Set<String> = [pieces, concert, pieceList, glossary]

    static let mostFiles = 200

    /// - Returns: nil for what is no manifest, or one that no server of ours writes.
    init?(_ payload: [UInt8]) {
        guard let read = try? JSONDecoder().decode(RelayManifest.self, from: Data(payload)),
            read.files.count <= Self.mostFiles, read.files.allSatisfy(\.isReasonable)
        else { return nil }
        self = read
    }

    init(revision: String, changed: [String], files: [File]) {
        self.revision = revision
        self.changed = changed
        self.files = files
    }

    var payload: [UInt8] { AudienceConcert.json(self) }
}

extension RelayManifest.File {
    init(path: String, type: String, digest: String, byteCount: Int) {
        self.init(
            path: path, type: type, digest: digest, byteCount: byteCount,
            partCount: RelayParcel.partCount(of: byteCount), slot: Self.slot(of: path))
    }

    var isText: Bool { RelayManifest.texts.contains(path) }

    fileprivate var isReasonable: Bool {
        (0...RelayParcel.mostBytes).contains(byteCount) && partCount == RelayParcel.partCount(of: byteCount)
            && path.utf8.count <= 300 && type.utf8.count <= 100 && slot.utf8.count <= 32
            && slot.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The same for the same path, so that a changed file takes the place of the old one at the broker.
    static func slot(of path: String) -> String {
        String(
            path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 },
            radix: 36)
    }
}
