import Score

/// A piece as a phone keeps it: `POA…` with data.xml, images.txt, name.txt and the images.
public struct OfflineFolder: Hashable, Sendable {
    public static let contentFile = "data.xml"
    public static let imageListFile = "images.txt"
    public static let nameFile = "name.txt"
    /// Beside the fixed files, where this server writes the folder; phones leave it alone.
    public static let supplementFile = "supplement.json"

    /// The folder's name: `POAStraussDonJuanDonJuan`.
    public var name: String
    /// In the order they are written; data.xml first.
    public var files: [OfflineFile]

    public init(name: String, files: [OfflineFile]) {
        self.name = name
        self.files = files
    }

    /// - Parameters:
    ///   - others: images no slide names, to be kept all the same.
    ///   - image: the bytes of an image, nil where there is none: it is then listed, but not among the files.
    ///   - supplement: what the XML has no place for, as JSON; nil leaves it out.
    public init(
        _ piece: PieceContent, alsoImages others: [AssetName] = [], supplement: [UInt8]? = nil,
        image: (AssetName) throws -> [UInt8]?
    ) rethrows {
        let named = piece.images
        let images = named + others.filter { !named.contains($0) }
        let list = images.map(\.text).joined(separator: ";")
        var files = [
            OfflineFile(name: Self.contentFile, bytes: ContentXMLWriter.concert([piece])),
            OfflineFile(name: Self.imageListFile, bytes: Array(list.utf8)),
            OfflineFile(name: Self.nameFile, bytes: Array(piece.name.text.utf8)),
        ]
        if let supplement { files.append(OfflineFile(name: Self.supplementFile, bytes: supplement)) }
        for name in images {
            if let bytes = try image(name) { files.append(OfflineFile(name: name.text, bytes: bytes)) }
        }
        self.init(name: piece.name.offlineFolder, files: files)
    }
}

/// One file of an offline folder.
public struct OfflineFile: Hashable, Sendable {
    public var name: String
    public var bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
