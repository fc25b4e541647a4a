import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// Builds the edit that inserts content read from files.
struct ContentEditBuilder {
    private(set) var changes: [ConcertChange]

    init(_ changes: [ConcertChange] = []) { self.changes = changes }

    /// Sets the concert's own fields, such as title, date and cast.
    mutating func setConcertDetails(_ heading: ConcertDetails) {
        let fields: [(String, String?)] = [
            ("title", heading.title), ("date", heading.date), ("programNotes", heading.programNotes?.text),
            ("credits", heading.credits.joined(separator: "\n")), ("link", heading.link?.text),
            ("cast", heading.cast.map { $0.map(\.editorLine).joined(separator: "\n") }),
        ]
        for (name, value) in fields { changes.append(.setField(.root, field: name, to: value)) }
    }

    /// Adds a piece with its tracks, slides and sections.
    /// - Parameters:
    ///   - folder: the folder of the piece's recordings; nil if unknown.
    ///   - sibling: the piece before which the new piece goes; nil for the end.
    mutating func addPiece(
        _ piece: PieceContent, folder: String? = nil, waveform: Waveform? = nil,
        before sibling: ConcertNodeID? = nil
    ) {
        let id = ConcertNodeID.random()
        var fields = [
            "name": piece.name.text, "measureCount": String(piece.measureCount),
            "measures": MeasureMapText.makeText(piece.measures), "folder": folder ?? "",
            "waveform": waveform?.hexadecimalText ?? "",
        ]
        if let end = piece.structure.end {
            fields["endPrinted"] = String(end.printed)
            fields["endTime"] = "\(end.time.seconds)"
        }
        changes.append(.insertNode(id, .piece, in: .root, before: sibling, fields: fields))
        for track in piece.tracks { addTrack(track, to: id) }
        for section in piece.structure.sections {
            changes.append(
                .insertNode(
                    .random(), .section, in: id, before: nil,
                    fields: [
                        "label": section.label,
                        "labels": section.translations.map(\.editorLine).joined(separator: "\n"),
                        "colour": section.colour.fileText,
                        "key": section.key?.name ?? "",
                        "printed": String(section.place.printed), "time": "\(section.place.time.seconds)",
                    ]))
        }
    }

    /// Adds a piece with the name and measures of a recording, without texts.
    /// - Returns: the id of the piece's node.
    mutating func addPieceFromRecording(_ reference: ContentRecordings.RecordedPieceDetails, folder: String)
        -> ConcertNodeID
    {
        let id = ConcertNodeID.random()
        var fields = Self.makeMeasureFields(of: reference, folder: folder)
        fields["name"] = reference.name.text
        changes.append(.insertNode(id, .piece, in: .root, before: nil, fields: fields))
        return id
    }

    /// Gives a piece the measures of a recording. If the piece and the recording play the same measures, slides and
    /// sections stay at their played measures; otherwise at their printed numbers.
    mutating func setMeasures(
        _ reference: ContentRecordings.RecordedPieceDetails, folder: String,
        to nodes: CatalogueConcert.PieceNodes,
        _ piece: PieceContent
    ) {
        for (name, value) in Self.makeMeasureFields(of: reference, folder: folder).sorted(by: {
            $0.key < $1.key
        }) {
            changes.append(.setField(nodes.id, field: name, to: value))
        }
        guard let retimed = piece.retimed(to: reference.measures.marks, end: reference.measures.end) else {
            return
        }
        for (track, (_, slides)) in zip(retimed.tracks, nodes.trackNodes) {
            for (slide, id) in zip(track.slides, slides) {
                changes.append(.setField(id, field: "time", to: "\(slide.place.time.seconds)"))
            }
        }
        for (section, id) in zip(retimed.structure.sections, nodes.sectionNodeIDs) {
            changes.append(.setField(id, field: "time", to: "\(section.place.time.seconds)"))
        }
    }

    private static func makeMeasureFields(
        of reference: ContentRecordings.RecordedPieceDetails, folder: String
    ) -> [String: String] {
        let marks = reference.measures.marks
        var fields = [
            "measures": MeasureMapText.makeText(marks),
            "measureCount": String(marks.count),
            "folder": folder, "waveform": reference.waveform?.hexadecimalText ?? "",
            "endTime": "\(reference.measures.end.seconds)",
        ]
        // Phones expect an END section on the last measure, at the time when the music ends.
        if let last = marks.last { fields["endPrinted"] = String(last.printed) }
        return fields
    }

    private mutating func addTrack(_ track: Track, to piece: ConcertNodeID) {
        let id = ConcertNodeID.random()
        changes.append(
            .insertNode(
                id, .track, in: piece, before: nil,
                fields: [
                    "name": track.name, "language": track.language?.tag ?? "", "subject": track.subject ?? "",
                    "level": track.level?.rawValue ?? "",
                ]))
        for slide in track.slides {
            changes.append(
                .insertNode(
                    .random(), .slide, in: id, before: nil,
                    fields: [
                        "printed": String(slide.place.printed), "time": "\(slide.place.time.seconds)",
                        "text": slide.text.writtenText,
                    ]))
        }
    }

    mutating func addGlossary(_ glossary: Glossary) {
        for item in glossary.items {
            changes.append(
                .insertNode(
                    .random(), .word, in: .root, before: nil,
                    fields: [
                        "name": item.name, "category": item.category, "description": item.description,
                        "history": item.history, "image": item.image?.text ?? "",
                        "language": item.language?.tag ?? "",
                    ]))
        }
    }

    mutating func addMessage(_ message: PushMessage) {
        changes.append(
            .insertNode(
                .random(), .message, in: .root, before: nil,
                fields: [
                    "title": message.title, "body": message.body, "style": message.style.spelling,
                    "buttonText": message.buttonText,
                ]))
    }

    mutating func addAsset(_ asset: ContentAsset) {
        changes.append(.insertNode(.random(), .asset, in: .root, before: nil, fields: asset.nodeFields))
    }

    // MARK: The rules for fields

    /// Applies the rules for fields that are typed (``ContentRules``) to all content that was added.
    mutating func applyRules() throws(Refusal) {
        for index in changes.indices { changes[index] = try Self.checked(changes[index]) }
    }

    /// Leaves out each field that the rules refuse, and each entry that lacks what it must have, with all below it.
    /// - Returns: one sentence for each.
    mutating func leaveOutFaults() -> [String] {
        var sentences: [String] = []
        var missing: Set<ConcertNodeID> = []
        var kept: [ConcertChange] = []
        for change in changes {
            do throws(Refusal) {
                if case .insertNode(_, _, in: let parent, _, _) = change, missing.contains(parent) {
                    continue
                }
                kept.append(try Self.checked(change))
            } catch {
                sentences.append("\(error.sentence) It was left out.")
                guard case .insertNode(let id, let kind, let parent, let sibling, let fields) = change else {
                    continue
                }
                let sound = fields.filter {
                    $0.key == "waveform" || (try? ContentRules.checkField($0.key, $0.value, of: kind)) != nil
                }
                if let required = ContentRules.requiredField(of: kind)?.field, sound[required] == nil {
                    missing.insert(id)
                } else {
                    kept.append(.insertNode(id, kind, in: parent, before: sibling, fields: sound))
                }
            }
        }
        changes = kept
        return sentences
    }

    private static func checked(_ change: ConcertChange) throws(Refusal) -> ConcertChange {
        switch change {
        case .setField(.root, let field, let value):
            return .setField(
                .root, field: field, to: try ContentRules.checkField(field, value ?? "", of: .concert))
        case .insertNode(let id, let kind, let parent, let sibling, var fields) where kind != .asset:
            if let required = ContentRules.requiredField(of: kind)?.field {
                fields[required] = fields[required] ?? ""
            }
            // The waveform is drawn by the program, and never typed.
            let waveform = fields.removeValue(forKey: "waveform")
            fields = try ContentRules.checkFields(fields, of: kind, measures: [])
            fields["waveform"] = waveform
            return .insertNode(id, kind, in: parent, before: sibling, fields: fields)
        default: return change
        }
    }

    // MARK: Into an existing concert

    /// Adds pieces to the concert, or replaces those of the same names: of two with one name, the first replaces the
    /// first, the second the second.
    mutating func addOrReplacePieces(_ pieces: [ContentFiles.Piece], into document: CatalogueConcert) {
        var old = Array(zip(document.concert.pieces.map(\.name), document.pieceNodes))
        for piece in pieces {
            let index = old.firstIndex { $0.0 == piece.content.name }
            let replaced = index.map { old.remove(at: $0).1 }
            guard let replaced, document.contentTree[replaced.id] != nil else {
                addPiece(piece.content, folder: piece.recordingsFolder, waveform: piece.waveform)
                continue
            }
            addPiece(
                piece.content, folder: replaced.recordingsFolder, waveform: replaced.waveform,
                before: replaced.id)
            changes.append(.removeNode(replaced.id))
        }
    }

    /// Replaces the concert's whole glossary.
    mutating func replaceGlossary(_ glossary: Glossary, in document: CatalogueConcert) {
        for id in document.glossaryNodeIDs { changes.append(.removeNode(id)) }
        addGlossary(glossary)
    }

    /// Adds an asset, or replaces the bytes of the existing asset of the same name.
    mutating func addOrReplaceAsset(_ asset: ContentAsset, into document: CatalogueConcert) {
        guard let id = document.findAsset(asset.folder, asset.name.text)?.id else { return addAsset(asset) }
        for (name, value) in asset.nodeFields.sorted(by: { $0.key < $1.key }) {
            changes.append(.setField(id, field: name, to: value))
        }
    }
}
