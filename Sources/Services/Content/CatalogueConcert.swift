import Catalogue
import Concert
import Foundation
import MusicalTime
import Score

/// A concert of the catalogue as values of the domain, with the catalogue node of each part.
package struct CatalogueConcert: Sendable {
    package let tree: ContentTree
    package let concert: ConcertContent
    /// The nodes of each piece, in the order of the concert's pieces.
    package let pieces: [PieceNodes]
    package let glossaryNodeIDs: [ContentNodeID]
    package let messages: [PushMessage]
    package private(set) var assets: [ContentAsset]

    package struct PieceNodes: Sendable {
        package var id: ContentNodeID
        /// Folder of the piece's recordings; empty if there are none.
        package var folder: String
        package var waveform: Waveform?
        package var tracks: [(id: ContentNodeID, slides: [ContentNodeID])]
        package var sections: [ContentNodeID]
    }

    /// Converts a content tree. Nodes that listeners cannot use, such as a piece with an invalid name, are left out.
    package init(_ tree: ContentTree) {
        self.tree = tree
        let root = tree.root
        var (pieces, nodes): ([PieceContent], [PieceNodes]) = ([], [])
        for node in tree.children(of: .root, .piece) {
            guard let name = try? PieceName(node["name"]) else { continue }
            let (piece, parts) = Self.piece(node, name, tree)
            pieces.append(piece)
            nodes.append(parts)
        }
        self.pieces = nodes
        let words = tree.children(of: .root, .word)
        self.glossaryNodeIDs = words.map(\.id)
        let glossary = Glossary(
            items: words.map { word in
                GlossaryItem(
                    name: word["name"], category: word["category"], description: word["description"],
                    history: word["history"], image: try? AssetName(word["image"]),
                    language: Language(word["language"]))
            })
        messages = tree.children(of: .root, .message).compactMap { PushMessage($0) }
        assets = tree.children(of: .root, .asset).compactMap { ContentAsset($0) }
        concert = ConcertContent(
            title: root["title"], date: root.fields["date"], pieces: pieces, glossary: glossary,
            programNotes: try? AssetName(root["programNotes"]),
            credits: root["credits"].split(separator: "\n").map(String.init), link: WebAddress(root["link"]),
            cast: root["cast"].split(separator: "\n").compactMap { Performer(line: String($0)) })
    }

    private static func piece(
        _ node: ContentNode, _ name: PieceName, _ tree: ContentTree
    ) -> (PieceContent, PieceNodes) {
        let measures = MeasureMapText.marks(node["measures"])
        let played = PlayedMeasureLookup(measures)
        func place(_ node: ContentNode, _ printed: String, _ time: String) -> MeasureAnchor {
            played.anchor(
                printed: Int(node[printed]) ?? 0, time: ReferenceTime(seconds: Double(node[time]) ?? 0))
        }
        var parts = PieceNodes(
            id: node.id, folder: node["folder"], waveform: Waveform(text: node["waveform"]), tracks: [],
            sections: [])
        var piece = PieceContent(
            name: name, measureCount: Int(node["measureCount"]) ?? measures.count, measures: measures)
        for track in tree.children(of: node.id, .track) {
            let slides = tree.children(of: track.id, .slide)
            piece.tracks.append(
                Track(
                    name: track["name"], language: Language(track["language"]),
                    subject: track.fields["subject"], level: TrackLevel(rawValue: track["level"]),
                    slides: slides.map {
                        Slide(place: place($0, "printed", "time"), text: SlideText($0["text"]))
                    }))
            parts.tracks.append((track.id, slides.map(\.id)))
        }
        for section in tree.children(of: node.id, .section) {
            piece.structure.sections.append(
                ContentSection(
                    label: section["label"],
                    translations: section["labels"].split(separator: "\n").compactMap {
                        Translation(line: String($0))
                    }, colour: SectionColour(content: section["colour"]),
                    key: KeySignature(section["key"]), place: place(section, "printed", "time")))
            parts.sections.append(section.id)
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

    /// Returns a copy of the concert in which every SVG is safe to serve. An SVG that cannot be made safe is left out.
    package func withSafeSVGs(from shelf: AssetStore) -> CatalogueConcert {
        var document = self
        document.assets = assets.compactMap { StoredSVGCheck.servable($0, from: shelf) }
        return document
    }

    package func asset(_ place: ContentAsset.Folder, _ name: String) -> ContentAsset? {
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
    }

    package var id: ContentNodeID?
    package var folder: Folder
    package var name: AssetName
    package var digest: String
    /// The file's media type for HTTP, such as `image/png`.
    package var type: String
    package var byteCount: Int

    package init(place: Folder, name: AssetName, digest: String, type: String, byteCount: Int) {
        self.folder = place
        self.name = name
        self.digest = digest
        self.type = type
        self.byteCount = byteCount
    }

    package init?(_ node: ContentNode) {
        guard let place = Folder(rawValue: node["place"]), let name = try? AssetName(node["name"]) else {
            return nil
        }
        self.init(
            place: place, name: name, digest: node["digest"], type: node["type"],
            byteCount: Int(node["bytes"]) ?? 0)
        id = node.id
    }

    package var fields: [String: String] {
        [
            "place": folder.rawValue, "name": name.text, "digest": digest, "type": type,
            "bytes": String(byteCount),
        ]
    }
}

/// A measure map as text: one line `printed seconds` for each played measure.
package enum MeasureMapText {
    package static func marks(_ text: String) -> [PlayedMeasure] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let printed = Int(words[0]), let seconds = Double(words[1]),
                seconds.isFinite
            else { return nil }
            return PlayedMeasure(printed: printed, onset: ReferenceTime(seconds: seconds))
        }
    }

    package static func text(_ marks: [PlayedMeasure]) -> String {
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
        case .name(let name): name
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

    package var text: String {
        points.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension PushMessage {
    package init?(_ node: ContentNode) {
        guard let message = try? PushMessage(entry: node.fields) else { return nil }
        self = message
    }
}

extension PushMessage {
    /// Creates a message from the fields of a content node.
    package init(entry fields: [String: String]) throws(ContentRefusal) {
        func refusal(_ sentence: String) -> ContentRefusal {
            ContentRefusal(code: "bad-content", sentence: sentence)
        }
        guard let style = PushStyle(spelling: fields["style"] ?? PushStyle.button.spelling) else {
            throw refusal("A message's style is BUTTON or AUTO.")
        }
        do throws(MessageFault) {
            self = try PushMessage(
                title: fields["title"] ?? "", body: fields["body"] ?? "", style: style,
                buttonText: fields["buttonText"] ?? "")
        } catch {
            throw refusal(error.sentence)
        }
    }
}
