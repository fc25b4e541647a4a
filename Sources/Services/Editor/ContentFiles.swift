import Basics
import Catalogue
import Concert
import Content
import Foundation
import Hosting
import Score
import ScoreFiles

/// The content of a concert as files: a folder with `concert.json`, `glossary.xml`, `ProgramNotes.md`, `messages.json`,
/// `images`, `AppAssets` and a folder for each piece. It may also be read from a ZIP of this folder, from one piece's
/// folder or a single XML file.
package struct ContentFiles {
    package static let detailsFileName = "concert.json"
    package static let glossaryFileName = "glossary.xml"
    package static let messagesFileName = "messages.json"
    package static let pieceListFileName = "getPieces.txt"

    package struct Piece {
        package var content: PieceContent
        /// The folder of the piece's recordings; nil if unknown.
        package var recordingsFolder: String?
        package var waveform: Waveform?
    }

    package struct AssetFile {
        package var name: AssetName
        package var folder: ContentAsset.Folder
        package var format: AssetFileFormat
        package var bytes: [UInt8]
    }

    package var concertDetails: ConcertDetails?
    package var pieces: [Piece] = []
    package var glossary: Glossary?
    package var messages: [PushMessage] = []
    package var assetFiles: [AssetFile] = []
    /// One sentence for each missing file, and for each doubt that the import had to decide.
    package var importNotes: [String] = []
    /// True if what cannot be read is left out with a note; otherwise reading ends with its error.
    private var leavesOutFaults = false

    // MARK: Reading

    /// Reads the files at a path: a concert's folder or its ZIP, a piece's folder, content XML or a glossary.
    package init(path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ExplainedError("There is nothing at “\(path)”; check the spelling.")
        }
        if !isFolder.boolValue, Self.isZip(path) {
            self = try Self.readZip(path)
        } else if !isFolder.boolValue {
            try readXML(Self.readBytes(path), path: path)
        } else if Self.isRegularFile("\(path)/\(OfflineFolder.contentFile)") {
            try readPiece(path, folder: nil)
        } else {
            try readConcert(path)
        }
    }

    /// Reads uploaded content XML or glossary XML.
    /// - Parameter name: the name of the file in error sentences.
    package init(xml bytes: [UInt8], name: String) throws { try readXML(bytes, path: name) }

    /// Reads the content stored with the recordings: `RECORDINGS/content` and `RECORDINGS/FOLDER/content`. What cannot
    /// be read is left out with a note, so that one bad file does not hide the others from listeners.
    /// - Parameters:
    ///   - folders: the folders of the programme's pieces, in order. Folders without content are skipped.
    ///   - title: the concert's title if `concert.json` gives none.
    package init(recordings: String, folders: [String], title: String) {
        leavesOutFaults = true
        noting { try $0.readConcertWideFiles("\(recordings)/content") }
        if concertDetails == nil { concertDetails = ConcertDetails(title: title) }
        for folder in folders {
            let place = "\(recordings)/\(folder)/content"
            if Self.isRegularFile("\(place)/\(OfflineFolder.contentFile)") {
                noting { try $0.readPiece(place, folder: folder) }
            }
        }
        for index in pieces.indices {
            pieces[index].content.name = pieces[index].content.name.withoutSemicolons
        }
    }

    private mutating func attempt(_ read: (inout ContentFiles) throws -> Void) throws {
        if leavesOutFaults { noting(read) } else { try read(&self) }
    }

    /// Reads something. If that fails, nothing of it is kept, and a note says why.
    private mutating func noting(_ read: (inout ContentFiles) throws -> Void) {
        var files = self
        do {
            try read(&files)
            self = files
        } catch {
            importNotes.append("\(error.explanation) It was left out.")
        }
    }

    private mutating func readConcert(_ path: String) throws {
        try readConcertWideFiles(path)
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        let listed = ListedPieceFolders(
            found: inside.filter { Self.isRegularFile("\(path)/\($0)/\(OfflineFolder.contentFile)") },
            list: FileManager.default.contents(atPath: "\(path)/\(Self.pieceListFileName)"), in: path)
        importNotes += listed.notes
        for folder in listed.folders { try readPiece("\(path)/\(folder)", folder: nil) }
        guard concertDetails != nil || !pieces.isEmpty || glossary != nil || !assetFiles.isEmpty else {
            throw ExplainedError(
                "“\(path)” holds no content; give a folder with concert.json or data.xml, its ZIP, or an XML file."
            )
        }
    }

    /// Reads the files that belong to no piece.
    private mutating func readConcertWideFiles(_ path: String) throws {
        func ifThere(_ name: String, _ read: (inout ContentFiles, String) throws -> Void) throws {
            guard Self.isRegularFile("\(path)/\(name)") else { return }
            try attempt { try read(&$0, "\(path)/\(name)") }
        }
        try ifThere(Self.detailsFileName) { files, path in
            files.concertDetails = try SupplementJSONCoder.decodeConcertDetails(
                in: Self.readBytes(path), path: path)
        }
        try ifThere(Self.glossaryFileName) { files, path in
            files.glossary = try GlossaryReader.readGlossary(in: Self.readBytes(path), path: path)
        }
        try ifThere(Self.messagesFileName) { files, path in
            let kept = try JSONDecoder().decode([StoredMessage].self, from: Data(Self.readBytes(path)))
            files.messages = try kept.map { try $0.message }
        }
        for name in ["ProgramNotes.md", ConcertFileResponses.notesFileName] {
            try ifThere(name) { try $0.readAssetFile($1, name, in: .AppAssets) }
        }
        for place in ContentAsset.Folder.allCases {
            let names = try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(place.rawValue)")
            for name in (names ?? []).sorted() where name.first != "." {
                try ifThere("\(place.rawValue)/\(name)") { try $0.readAssetFile($1, name, in: place) }
            }
        }
    }

    private mutating func readPiece(_ path: String, folder: String?) throws {
        let read = try PieceContentFolder.read(at: path)
        importNotes += read.readingWarnings
        pieces.append(Piece(content: read.piece, recordingsFolder: folder))
        for image in read.images {
            try attempt { try $0.addAssetFile(image.content, image.name, in: .images) }
        }
    }

    private mutating func readXML(_ bytes: [UInt8], path: String) throws {
        do throws(ContentFileError) {
            let read = try ContentXMLReader.readPieces(in: bytes, path: path)
            pieces = read.pieces.map { Piece(content: $0) }
            importNotes += read.readingWarnings
        } catch {
            guard case .invalidXML(_, _, .unreadable(.wrongRootElement("glossary", _))) = error else {
                throw error
            }
            glossary = try GlossaryReader.readGlossary(in: bytes, path: path)
        }
    }

    private mutating func readAssetFile(_ path: String, _ name: String, in place: ContentAsset.Folder) throws
    {
        try addAssetFile(Self.readBytes(path), name, in: place)
    }

    /// Adds an image or document after checking it. The same image in several pieces is stored once; two different
    /// images of one name are an error.
    private mutating func addAssetFile(_ bytes: [UInt8], _ text: String, in place: ContentAsset.Folder) throws
    {
        let name = try AssetName(text)
        let checked = try AssetFileCheck.checkFile(bytes, named: name, in: place)
        if let other = assetFiles.first(where: { $0.name == name && $0.folder == place }) {
            guard other.bytes != checked.bytes else { return }
            throw ExplainedError("Two different images are named “\(name)”; rename one of them.")
        }
        assetFiles.append(AssetFile(name: name, folder: place, format: checked.format, bytes: checked.bytes))
    }

    private static func isRegularFile(_ path: String) -> Bool {
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        return type == .typeRegular
    }

    private static func readBytes(_ path: String) throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw ExplainedError("“\(path)” cannot be read; check its permissions.")
        }
        let bytes = try handle.read(upToCount: AssetStore.mostAssetBytes + 1).map(Array.init) ?? []
        guard bytes.count <= AssetStore.mostAssetBytes else {
            throw ExplainedError(
                "“\(path)” is larger than \(AssetStore.mostAssetBytes >> 20) MB; make it smaller.")
        }
        return bytes
    }

    /// A summary in a few words: `Bach, Prelude in C`, `3 pieces, glossary of 40 words, 12 files`.
    package var summary: String {
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        var parts: [String] = []
        if let title = concertDetails?.title, !title.isEmpty { parts.append("“\(title.prefix(80))”") }
        if pieces.count == 1 {
            parts.append(String(pieces[0].content.name.text.prefix(120)))
        } else if !pieces.isEmpty {
            parts.append(counted(pieces.count, "piece"))
        }
        if let glossary { parts.append("glossary of " + counted(glossary.items.count, "word")) }
        if !messages.isEmpty { parts.append(counted(messages.count, "message")) }
        if !assetFiles.isEmpty { parts.append(counted(assetFiles.count, "file")) }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    // MARK: Into the catalogue

    /// Gives every slide the time of the same measure in tonight's references, which the follower uses.
    mutating func retimeSlides(to references: [(name: PieceName, measures: MeasureMap)]) {
        for index in pieces.indices {
            let piece = pieces[index].content
            guard let reference = references.first(where: { $0.name == piece.name }) else { continue }
            if let retimed = piece.retimed(to: reference.measures.marks, end: reference.measures.end) {
                pieces[index].content = retimed
            } else {
                importNotes.append(
                    "“\(piece.name)” has \(piece.measures.count) played measures in its content and "
                        + "\(reference.measures.marks.count) in the reference; slides are placed by printed numbers."
                )
            }
        }
    }

    /// Creates a new concert from the files.
    /// - Parameters:
    ///   - servesFirst: true to serve the concert at once if it is the only one and has a piece.
    ///   - leaveOut: nil to refuse files with a field that the rules refuse. Otherwise the field is left out, and
    ///     `leaveOut` is called with a sentence.
    package func makeConcert(
        in desk: ConcertEditor, author: String, label: String, servesFirst: Bool = false,
        leavingOut leaveOut: ((String) -> Void)? = nil
    ) async throws -> Int64 {
        var builder = ContentEditBuilder()
        // Without `concert.json`, the first piece's name becomes the concert's title.
        let title = pieces.first?.content.name.text ?? "Untitled concert"
        builder.setConcertDetails(
            concertDetails ?? ConcertDetails(title: String(title.prefix(ContentRules.longestConcertTitle))))
        for piece in pieces {
            builder.addPiece(piece.content, folder: piece.recordingsFolder, waveform: piece.waveform)
        }
        if let glossary { builder.addGlossary(glossary) }
        for message in messages { builder.addMessage(message) }
        for asset in try await storeAssets(in: desk, leavingOut: leaveOut) { builder.addAsset(asset) }
        if let leaveOut { builder.leaveOutFaults().forEach(leaveOut) } else { try builder.applyRules() }
        return try await desk.createConcert(
            builder.changes, by: author, label: label, servesFirst: servesFirst && !pieces.isEmpty)
    }

    /// Stores the files as listeners get them.
    /// - Parameter leaveOut: see ``makeConcert(in:author:label:servesFirst:leavingOut:)``.
    func storeAssets(
        in desk: ConcertEditor, only isWanted: (AssetFile) -> Bool = { _ in true },
        leavingOut leaveOut: ((String) -> Void)? = nil
    ) async throws -> [ContentAsset] {
        var stored: [ContentAsset] = []
        for file in assetFiles where isWanted(file) {
            do {
                let checked = AssetFileCheck.CheckedFile(format: file.format, bytes: file.bytes)
                let asset = try await desk.prepareAndStore(checked, as: file.name, in: file.folder)
                guard !stored.contains(where: { $0.name == asset.name && $0.folder == asset.folder }) else {
                    throw ExplainedError(
                        "“\(file.name)” becomes “\(asset.name)”, which another image is; rename one.")
                }
                stored.append(asset)
            } catch {
                guard let leaveOut else { throw error }
                leaveOut("\(error.explanation) It was left out.")
            }
        }
        return stored
    }

    /// Imports the files into an existing concert: pieces of the same name are replaced, others are added. The import
    /// is one edit, which can be undone.
    package func importFiles(
        into document: CatalogueConcert, of desk: ConcertEditor, id: Int64, author: String, label: String
    )
        async throws -> ConcertEditResult
    {
        var builder = ContentEditBuilder()
        if let concertDetails { builder.setConcertDetails(concertDetails) }
        builder.addOrReplacePieces(pieces, into: document)
        if let glossary { builder.replaceGlossary(glossary, in: document) }
        for message in messages where !document.preparedMessages.contains(message) {
            builder.addMessage(message)
        }
        for asset in try await storeAssets(in: desk) { builder.addOrReplaceAsset(asset, into: document) }
        try builder.applyRules()
        return try await desk.edit(
            id,
            ConcertEdit(
                baseRevision: document.contentTree.revision, changes: builder.changes, author: author,
                label: label))
    }
}

/// A message in the format of `messages.json`.
struct StoredMessage: Codable {
    var title: String
    var body: String
    var style: String
    var buttonText: String

    init(_ message: PushMessage) {
        (title, body, style) = (message.title, message.body, message.style.spelling)
        buttonText = message.buttonText
    }

    var message: PushMessage {
        get throws {
            guard let style = PushStyle(spelling: style) else {
                throw ExplainedError(
                    "The style of a message is BUTTON or AUTO, not “\(style.prefix(40))”.")
            }
            return try PushMessage(title: title, body: body, style: style, buttonText: buttonText)
        }
    }
}
