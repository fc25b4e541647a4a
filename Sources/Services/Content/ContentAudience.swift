import Concert
import Foundation
import Score

/// What the audience page loads once: the whole concert. docs/content-api.md names every field.
struct AudienceConcert: Encodable {
    struct Performer: Encodable {
        var name: String
        var role: String?
        /// Address of the portrait.
        var image: String?
    }

    struct Info: Encodable {
        var credits: [String]
        var cast: [Performer]
        var link: String?
    }

    /// Addresses of the app's own pictures.
    struct Pictures: Encodable {
        var splash: String?
        var help: String?
        var info: String?
    }

    struct Measure: Encodable, Equatable {
        var printed: Int
        var time: Double
    }

    struct Section: Encodable, Equatable {
        var label: String
        /// By language; nil where the label has none of its own in another language.
        var labels: [String: String]?
        var colour: String
        var key: String?
        var played: Int?
        var measure: Int
        var time: Double
    }

    struct Structure: Encodable, Equatable {
        var sections: [Section]
        /// The played measure behind the last section.
        var end: Int?
    }

    struct Part: Encodable, Equatable {
        var text: String?
        var image: String?
        var caption: String?
    }

    struct Link: Encodable, Equatable {
        var part: Int
        var start: Int
        var length: Int
        var item: Int
    }

    struct Slide: Encodable, Equatable {
        var played: Int?
        var measure: Int
        var time: Double
        var parts: [Part]
        var links: [Link]
    }

    struct TrackField: Encodable, Equatable {
        var name: String
        var language: String?
        var subject: String?
        var level: String?
        var slides: [Slide]
    }

    struct Piece: Encodable, Equatable {
        var name: String
        var composer: String
        var work: String
        var movement: String
        var measureCount: Int
        var measures: [Measure]
        var endSeconds: Double?
        var structure: Structure
        var tracks: [TrackField]
        var waveform: [UInt8]
        /// The name of the folder a phone keeps the piece in.
        var offlineFolder: String
    }

    struct Word: Encodable {
        var name: String
        var category: String
        var description: String
        var history: String
        var image: String?
        var language: String?
    }

    var revision: String
    var title: String
    var date: String?
    var programNotes: String?
    /// The text that the programme notes are made of; nil where they were uploaded as a PDF.
    var programNotesText: String?
    var info: Info
    var pictures: Pictures
    var pieces: [Piece]
    var glossary: [Word]

    /// - Parameter notes: the programme notes, whatever they are made of.
    init(_ document: ContentDocument, revision: String, notes: ContentAsset?) {
        let concert = document.concert
        let linkers = AudienceLinkers(concert)
        self.revision = revision
        title = concert.title
        date = concert.date
        programNotes = notes?.address(as: ContentFile.notes)
        // Notes without a node were made of the text.
        if let notes, notes.id == nil { programNotesText = document.notesText?.address() }
        info = Info(
            credits: concert.credits,
            cast: concert.cast.map {
                Performer(
                    name: $0.name, role: $0.role.isEmpty ? nil : $0.role,
                    image: $0.portrait.map { "/images/\($0)" })
            }, link: concert.link?.text)
        let own = ContentPictures(document.assets)
        pictures = Pictures(
            splash: own.splash?.address(), help: own.help?.address(), info: own.info?.address())
        pieces = zip(concert.pieces, document.pieces).map { piece, nodes in
            Piece(piece, waveform: nodes.waveform, linkers: linkers)
        }
        glossary = concert.glossary.items.map {
            Word(
                name: $0.name, category: $0.category, description: $0.description, history: $0.history,
                image: $0.image.map { "/images/\($0)" }, language: $0.language?.tag)
        }
    }

    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Times that are not numbers are refused when they come in.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
    }
}

/// Finds the words of the glossary in texts of every language of a concert; made once for all pieces.
struct AudienceLinkers {
    private let glossary: Glossary
    private let linkers: [Language?: GlossaryLinker]

    init(_ concert: ConcertContent) {
        glossary = concert.glossary
        let languages = Set(concert.pieces.flatMap(\.tracks).map(\.language))
        linkers = Dictionary(
            uniqueKeysWithValues: languages.map { ($0, GlossaryLinker(concert.glossary, language: $0)) })
    }

    func linker(for language: Language?) -> GlossaryLinker {
        linkers[language] ?? GlossaryLinker(glossary, language: language)
    }
}

extension AudienceConcert.Piece {
    init(_ piece: PieceContent, waveform: Waveform?, linkers: AudienceLinkers) {
        let words = Self.words(of: piece.name.text)
        name = piece.name.text
        (composer, work, movement) = words
        measureCount = piece.measureCount
        measures = piece.measures.map { .init(printed: $0.printed, time: $0.onset.seconds) }
        endSeconds = piece.endSeconds
        structure = AudienceConcert.Structure(
            sections: piece.structure.sections.map { section in
                .init(
                    label: section.label,
                    labels: section.translations.isEmpty
                        ? nil
                        : Dictionary(
                            section.translations.map { ($0.language.tag, $0.text) },
                            uniquingKeysWith: { first, _ in first }), colour: section.colour.content,
                    key: section.key?.name,
                    played: section.place.played, measure: section.place.printed,
                    time: section.place.time.seconds)
            }, end: piece.structure.end(in: piece.measures))
        tracks = piece.tracks.map { track in
            let linker = linkers.linker(for: track.language)
            return .init(
                name: track.name, language: track.language?.tag, subject: track.subject,
                level: track.level?.rawValue, slides: track.slides.map { .init($0, linker: linker) })
        }
        self.waveform = waveform?.points ?? []
        offlineFolder = piece.name.offlineFolder
    }

    /// `Composer, Piece: Movement`, as far as the name has these parts.
    static func words(of name: String) -> (composer: String, work: String, movement: String) {
        let comma = name.firstRange(of: ", ")
        let composer = comma.map { String(name[..<$0.lowerBound]) } ?? ""
        let rest = comma.map { name[$0.upperBound...] } ?? name[...]
        guard let colon = rest.ranges(of: ": ").last else { return (composer, String(rest), "") }
        return (composer, String(rest[..<colon.lowerBound]), String(rest[colon.upperBound...]))
    }
}

extension AudienceConcert.Slide {
    init(_ slide: Slide, linker: GlossaryLinker) {
        let found = slide.text.parts
        played = slide.place.played
        measure = slide.place.printed
        time = slide.place.time.seconds
        parts = found.map { part in
            switch part {
            case .text(let text): .init(text: text)
            case .image(let name, let caption): .init(image: "/images/\(name)", caption: caption)
            }
        }
        links = found.enumerated().flatMap { index, part in
            linker.links(in: part.words).map { link in
                AudienceConcert.Link(
                    part: index, start: link.utf16.lowerBound, length: link.utf16.count, item: link.item)
            }
        }
    }
}
