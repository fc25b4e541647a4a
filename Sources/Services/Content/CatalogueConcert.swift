import Basics
import Catalogue
import Concert
import Foundation
import Score
import WebServer

/// A concert of the catalogue as values of the domain, with the catalogue node of each part.
package struct CatalogueConcert: Sendable {
    package let contentTree: ConcertTree
    package private(set) var concert: ConcertContent
    /// The nodes of each piece, in the order of the concert's pieces.
    package private(set) var pieceNodes: [PieceNodes]
    package let glossaryNodeIDs: [ConcertNodeID]
    package let preparedMessages: [PushMessage]
    package private(set) var assets: [ContentAsset]

    package struct PieceNodes: Sendable {
        package var id: ConcertNodeID
        /// Folder of the piece's recordings; empty if there are none.
        package var recordingsFolder: String
        package var waveform: Waveform?
        package var trackNodes: [(id: ConcertNodeID, slides: [ConcertNodeID])]
        package var sectionNodeIDs: [ConcertNodeID]
    }

    /// Converts a content tree. Nodes that listeners cannot use, such as a piece with an invalid name, are left out.
    package init(_ tree: ConcertTree) {
        self.contentTree = tree
        let root = tree.root
        var (pieces, nodes): ([PieceContent], [PieceNodes]) = ([], [])
        for node in tree.children(of: .root, kind: .piece) {
            guard let name = try? PieceName(node["name"]) else { continue }
            let (piece, parts) = Self.convertPieceNode(node, name, tree)
            pieces.append(piece)
            nodes.append(parts)
        }
        self.pieceNodes = nodes
        let words = tree.children(of: .root, kind: .word)
        self.glossaryNodeIDs = words.map(\.id)
        let glossary = Glossary(
            items: words.map { word in
                GlossaryItem(
                    name: word["name"], category: word["category"], description: word["description"],
                    history: word["history"], image: try? AssetName(word["image"]),
                    language: Language(word["language"]))
            })
        preparedMessages = tree.children(of: .root, kind: .message).compactMap { PushMessage($0) }
        assets = tree.children(of: .root, kind: .asset).compactMap { ContentAsset($0) }
        concert = ConcertContent(
            title: root["title"], date: root.fields["date"], pieces: pieces, glossary: glossary,
            programNotes: try? AssetName(root["programNotes"]),
            credits: root["credits"].split(separator: "\n").map(String.init), link: WebAddress(root["link"]),
            cast: root["cast"].split(separator: "\n").compactMap { Performer(line: String($0)) })
    }

    private static func convertPieceNode(
        _ node: ConcertNode, _ name: PieceName, _ tree: ConcertTree
    ) -> (PieceContent, PieceNodes) {
        let measures = MeasureMapText.parseMarks(node["measures"])
        let played = PlayedMeasureLookup(measures)
        func place(_ node: ConcertNode, _ printed: String, _ time: String) -> MeasureAnchor {
            played.makeAnchor(
                printed: Int(node[printed]) ?? 0, time: ReferenceTime(seconds: Double(node[time]) ?? 0))
        }
        var parts = PieceNodes(
            id: node.id, recordingsFolder: node["folder"], waveform: Waveform(text: node["waveform"]),
            trackNodes: [],
            sectionNodeIDs: [])
        var piece = PieceContent(
            name: name, measureCount: Int(node["measureCount"]) ?? measures.count, measures: measures)
        for track in tree.children(of: node.id, kind: .track) {
            let slides = tree.children(of: track.id, kind: .slide)
            piece.tracks.append(
                Track(
                    name: track["name"], language: Language(track["language"]),
                    subject: track.fields["subject"], level: TrackLevel(rawValue: track["level"]),
                    slides: slides.map {
                        Slide(place: place($0, "printed", "time"), text: SlideText($0["text"]))
                    }))
            parts.trackNodes.append((track.id, slides.map(\.id)))
        }
        for section in tree.children(of: node.id, kind: .section) {
            piece.structure.sections.append(
                ContentSection(
                    label: section["label"],
                    translations: section["labels"].split(separator: "\n").compactMap {
                        Translation(line: String($0))
                    }, colour: SectionColour(content: section["colour"]),
                    key: KeySignature(section["key"]), place: place(section, "printed", "time")))
            parts.sectionNodeIDs.append(section.id)
        }
        if node.fields["endPrinted"] != nil { piece.structure.end = place(node, "endPrinted", "endTime") }
        return (piece, parts)
    }

    /// The text file from which the programme notes are typeset if no PDF was uploaded.
    var notesTextAsset: ContentAsset? {
        assets.first { $0.folder == .AppAssets && $0.name.fileExtension == "md" }
    }

    /// Names of all images of the concert, for checking references to them.
    package var imageNames: Set<AssetName> { Set(assets.filter { $0.folder == .images }.map(\.name)) }

    /// Returns a copy of the concert as it may be published: every SVG and every picture is safe to serve, an SVG that
    /// cannot be made safe is left out, and so are the originals of pictures.
    package func withSafePictures(from shelf: AssetStore) -> CatalogueConcert {
        var document = self
        document.assets = assets.filter { $0.folder != .originals }.compactMap {
            StoredPictureCheck.makeServable($0, from: shelf)
        }
        return document
    }

    /// Returns a copy of the concert without the pieces of these names.
    package func hiding(_ names: Set<PieceName>) -> CatalogueConcert {
        let hidden = Set(names.compactMap { PieceName.match($0.text, among: concert.pieces.map(\.name)) })
        guard !hidden.isEmpty else { return self }
        var document = self
        let shown = concert.pieces.indices.filter { !hidden.contains($0) }
        document.concert.pieces = shown.map { concert.pieces[$0] }
        document.pieceNodes = shown.map { pieceNodes[$0] }
        return document
    }

    package func findAsset(_ place: ContentAsset.Folder, _ name: String) -> ContentAsset? {
        assets.first { $0.folder == place && $0.name.text == name }
    }
}

/// A file of a concert: its name for phones, and the digest by which the asset store finds it.
package struct ContentAsset: Equatable, Sendable {
    package enum Folder: String, CaseIterable, Sendable {
        /// Images that slides and the glossary refer to.
        case images
        /// Files of the app itself: programme notes, help and splash images.
        case AppAssets
        /// Pictures as they were taken, for editors alone. They are never published.
        case originals
    }

    package var id: ConcertNodeID?
    package var folder: Folder
    package var name: AssetName
    package var digest: String
    /// The file's media type for HTTP, such as `image/png`.
    package var mediaType: String
    package var byteCount: Int

    package init(place: Folder, name: AssetName, digest: String, type: String, byteCount: Int) {
        self.folder = place
        self.name = name
        self.digest = digest
        self.mediaType = type
        self.byteCount = byteCount
    }

    package init?(_ node: ConcertNode) {
        guard let place = Folder(rawValue: node["place"]), let name = try? AssetName(node["name"]) else {
            return nil
        }
        self.init(
            place: place, name: name, digest: node["digest"], type: node["type"],
            byteCount: Int(node["bytes"]) ?? 0)
        id = node.id
    }

    package var nodeFields: [String: String] {
        [
            "place": folder.rawValue, "name": name.text, "digest": digest, "type": mediaType,
            "bytes": String(byteCount),
        ]
    }
}

/// A measure map as text: one line `printed seconds` for each played measure.
package enum MeasureMapText {
    package static func parseMarks(_ text: String) -> [PlayedMeasure] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let printed = Int(words[0]), let seconds = Double(words[1]),
                seconds.isFinite
            else { return nil }
            return PlayedMeasure(printed: printed, onset: ReferenceTime(seconds: seconds))
        }
    }

    package static func makeText(_ marks: [PlayedMeasure]) -> String {
        marks.map { "\($0.printed) \($0.onset.seconds)" }.joined(separator: "\n")
    }
}

extension SectionColour {
    /// Parses the colour in the spelling of content files: `orange` or `255,127,50`.
    package init(content: String) {
        let place = MeasureAnchor(printed: 0, played: nil, time: ReferenceTime(seconds: 0))
        self = ContentSection(pageText: "," + content, place: place).colour
    }

    /// The colour in the spelling of style sheets.
    var css: String {
        switch self {
        case .webColourName(let name): name
        case .rgb(let red, let green, let blue): "rgb(\(red), \(green), \(blue))"
        }
    }
}

extension Waveform {
    /// Parses two hexadecimal digits for each point; nil for an empty text.
    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count >= 2, digits.count.isMultiple(of: 2) else { return nil }
        let points = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        guard points.count == digits.count / 2 else { return nil }
        self = Waveform(points: points)
    }

    private init(points: [UInt8]) {
        self.init(power: [Float](), count: 0)
        self.points = points
    }

    package var hexadecimalText: String {
        points.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension PushMessage {
    package init?(_ node: ConcertNode) {
        guard let message = try? PushMessage(entry: node.fields) else { return nil }
        self = message
    }
}

extension PushMessage {
    /// Creates a message from the fields of a content node.
    package init(entry fields: [String: String]) throws(Refusal) {
        func refusal(_ sentence: String) -> Refusal {
            Refusal(422, "bad-content", sentence)
        }
        guard let style = PushStyle(spelling: fields["style"] ?? PushStyle.button.spelling) else {
            throw refusal("A message's style is BUTTON or AUTO.")
        }
        do throws(ExplainedError) {
            self = try PushMessage(
                title: fields["title"] ?? "", body: fields["body"] ?? "", style: style,
                buttonText: fields["buttonText"] ?? "")
        } catch {
            throw refusal(error.sentence)
        }
    }
}
