import Score

/// A piece in the form in which phones store it: a folder `POA…` with data.xml, images.txt, name.txt and the images.
public struct OfflineFolder: Hashable, Sendable {
    public static let contentFile = "data.xml"
    public static let imageListFile = "images.txt"
    public static let pieceNameFile = "name.txt"
    /// Name of the file that holds the ``PieceSupplement``. Only this server writes the file; phones ignore it.
    public static let supplementFile = "supplement.json"

    /// The folder's name, such as `POAStraussDonJuanDonJuan`.
    public var name: String
    /// The files in the order in which they are written, data.xml first.
    public var files: [OfflineFile]

    public init(name: String, files: [OfflineFile]) {
        self.name = name
        self.files = files
    }

    /// Makes the folder of a piece.
    /// - Parameters:
    ///   - others: further images to keep, although no slide names them.
    ///   - supplement: the ``PieceSupplement`` as JSON; nil to leave it out.
    ///   - image: returns the bytes of an image; if it returns nil, the image is listed but not included.
    public init(
        _ piece: PieceContent, alsoImages others: [AssetName] = [], supplement: [UInt8]? = nil,
        image: (AssetName) throws -> [UInt8]?
    ) rethrows {
        let named = piece.slideImages
        let images = named + others.filter { !named.contains($0) }
        let list = images.map(\.text).joined(separator: ";")
        var files = [
            OfflineFile(name: Self.contentFile, content: ContentXMLWriter.writeConcert([piece])),
            OfflineFile(name: Self.imageListFile, content: Array(list.utf8)),
            OfflineFile(name: Self.pieceNameFile, content: Array(piece.name.text.utf8)),
        ]
        if let supplement { files.append(OfflineFile(name: Self.supplementFile, content: supplement)) }
        for name in images {
            if let content = try image(name) { files.append(OfflineFile(name: name.text, content: content)) }
        }
        self.init(name: piece.name.offlineFolderName, files: files)
    }
}

/// One file of an offline folder.
public struct OfflineFile: Hashable, Sendable {
    public var name: String
    public var content: [UInt8]

    public init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }
}
