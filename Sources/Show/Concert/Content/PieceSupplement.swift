import Score

/// Facts about a piece that the fixed XML cannot hold: language, subject and level of tracks; keys of sections, and
/// their labels in other languages.
///
/// It is stored as JSON (`supplement.json`) next to the XML, so that existing clients can still read the XML. Tracks
/// are matched by name, sections by label and measure. So if another program has changed the XML, everything that still
/// matches is applied.
public struct PieceSupplement: Hashable, Sendable, Codable {
    public var name: PieceName
    public var tracks: [TrackDetails]
    public var keys: [SectionKeySignature]
    /// Translated labels of sections. Nil if there are none, so that older files without this field can still be read.
    public var labels: [SectionTranslations]?

    public struct TrackDetails: Hashable, Sendable, Codable {
        public var name: String
        public var language: Language?
        public var subject: String?
        public var level: TrackLevel?
    }

    public struct SectionKeySignature: Hashable, Sendable, Codable {
        /// The label of the section.
        public var sectionLabel: String
        /// The printed number of the measure at which the section starts.
        public var measure: Int
        public var key: KeySignature

        private enum CodingKeys: String, CodingKey {
            case measure, key
            case sectionLabel = "section"
        }
    }

    public struct SectionTranslations: Hashable, Sendable, Codable {
        /// The label of the section.
        public var sectionLabel: String
        /// The printed number of the measure at which the section starts.
        public var measure: Int
        public var translations: [Translation]

        private enum CodingKeys: String, CodingKey {
            case measure, translations
            case sectionLabel = "section"
        }
    }

    /// Collects the facts about a piece that its XML cannot hold.
    public init(of piece: PieceContent) {
        name = piece.name
        tracks = piece.tracks.filter { $0.language != nil || $0.subject != nil || $0.level != nil }.map {
            TrackDetails(name: $0.name, language: $0.language, subject: $0.subject, level: $0.level)
        }
        keys = piece.structure.sections.compactMap { section in
            section.key.map {
                SectionKeySignature(sectionLabel: section.label, measure: section.place.printed, key: $0)
            }
        }
        let translated = piece.structure.sections.filter { !$0.translations.isEmpty }.map {
            SectionTranslations(
                sectionLabel: $0.label, measure: $0.place.printed, translations: $0.translations)
        }
        labels = translated.isEmpty ? nil : translated
    }

    public var isEmpty: Bool { tracks.isEmpty && keys.isEmpty && labels == nil }

    /// Adds the supplement to a piece that was read from XML.
    /// - Returns: a sentence for each entry of the supplement that matches nothing in the piece.
    public func apply(to piece: inout PieceContent) -> [String] {
        var notes: [String] = []
        var taken: Set<Int> = []
        for note in tracks {
            let free = piece.tracks.indices.first {
                piece.tracks[$0].name == note.name && !taken.contains($0)
            }
            guard let index = free else {
                notes.append(
                    "The supplement speaks of a track “\(note.name)”, which the piece does not have.")
                continue
            }
            taken.insert(index)
            piece.tracks[index].language = note.language
            piece.tracks[index].subject = note.subject
            piece.tracks[index].level = note.level
        }
        taken = []
        for note in keys {
            guard let index = findSectionIndex(note.sectionLabel, at: note.measure, in: piece, but: taken)
            else {
                notes.append(
                    "The supplement gives a key to a section “\(note.sectionLabel)” at measure \(note.measure), "
                        + "which the piece does not have.")
                continue
            }
            taken.insert(index)
            piece.structure.sections[index].key = note.key
        }
        taken = []
        for note in labels ?? [] {
            guard let index = findSectionIndex(note.sectionLabel, at: note.measure, in: piece, but: taken)
            else {
                notes.append(
                    "The supplement translates a section “\(note.sectionLabel)” at measure \(note.measure), "
                        + "which the piece does not have.")
                continue
            }
            taken.insert(index)
            piece.structure.sections[index].translations = note.translations
        }
        return notes
    }

    private func findSectionIndex(
        _ label: String, at measure: Int, in piece: PieceContent, but taken: Set<Int>
    ) -> Int? {
        piece.structure.sections.indices.first { index in
            let section = piece.structure.sections[index]
            return section.label == label && section.place.printed == measure && !taken.contains(index)
        }
    }
}
