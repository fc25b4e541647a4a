import Concert
import Foundation
import Score
import WebServer

/// The whole concert in the JSON that an audience page loads once. docs/content-api.md describes every field.
package struct AudienceConcert: Codable {
    package struct Performer: Codable {
        package var name: String
        package var role: String?
        /// The address of the performer's portrait.
        package var image: String?

        package init(_ performer: Concert.Performer) {
            name = performer.name
            role = performer.role.isEmpty ? nil : performer.role
            image = performer.portrait.map { "/images/\($0)" }
        }
    }

    struct CreditsAndCast: Codable {
        var credits: [String]
        var cast: [Performer]
        var link: String?
    }

    /// Addresses of the app's own pictures.
    package struct AppImageAddresses: Codable {
        var splash: String?
        var help: String?
        var info: String?
    }

    package struct Measure: Codable, Equatable {
        package var printed: Int
        package var time: Double
    }

    package struct Section: Codable, Equatable {
        package var label: String
        /// The label in other languages, by language tag; nil if there are none.
        package var labels: [String: String]?
        package var colour: String
        package var key: String?
        package var played: Int?
        package var measure: Int
        package var time: Double
    }

    package struct Structure: Codable, Equatable {
        var sections: [Section]
        /// The first played measure after the last section.
        var end: Int?
    }

    package struct SlidePartJSON: Codable, Equatable {
        package var text: String?
        package var image: String?
        var caption: String?
    }

    struct GlossaryLinkJSON: Codable, Equatable {
        var part: Int
        var start: Int
        var length: Int
        var item: Int
    }

    package struct Slide: Codable, Equatable {
        var played: Int?
        var measure: Int
        var time: Double
        var parts: [SlidePartJSON]
        var links: [GlossaryLinkJSON]
    }

    package struct AudienceTrack: Codable, Equatable {
        package var name: String
        var language: String?
        var subject: String?
        var level: String?
        var slides: [Slide]
    }

    package struct Piece: Codable, Equatable {
        /// A version that changes whenever a page must load the piece or one of its images again; nil in the editors'
        /// preview.
        package var version: String?
        package var name: String
        package var composer: String
        package var work: String
        package var movement: String
        package var measureCount: Int
        package var measures: [Measure]
        package var endSeconds: Double?
        package var structure: Structure
        package var tracks: [AudienceTrack]
        package var waveform: [UInt8]
        /// The name of the folder in which a phone keeps the piece.
        package var offlineFolder: String
    }

    package struct GlossaryEntryJSON: Codable {
        package var name: String
        package var category: String
        package var description: String
        package var history: String
        package var image: String?
        package var language: String?
    }

    package var revision: String
    /// The version of everything except the revision and the pieces; each piece has a version of its own. Nil in the
    /// editors' preview.
    package var version: String?
    package var title: String
    package var date: String?
    package var programNotes: String?
    /// The address of the text from which the programme notes are typeset; nil if they were uploaded as a PDF.
    var programNotesText: String?
    var info: CreditsAndCast
    package var pictures: AppImageAddresses
    package var pieces: [Piece]
    package var glossary: [GlossaryEntryJSON]

    /// Converts a concert of the catalogue to the audience's format.
    /// - Parameter notes: the programme notes as PDF, uploaded or typeset from a text; nil if there are none.
    package init(_ document: CatalogueConcert, revision: String, notes: ContentAsset?) {
        let concert = document.concert
        let linkers = GlossaryLinkersByLanguage(concert)
        self.revision = revision
        title = concert.title
        date = concert.date
        programNotes = notes?.address(as: ConcertFileResponses.notesFileName)
        // Typeset notes are not an asset of the concert and have no node.
        if let notes, notes.id == nil { programNotesText = document.notesTextAsset?.address() }
        info = CreditsAndCast(
            credits: concert.credits,
            cast: concert.cast.map(Performer.init), link: concert.link?.text)
        let own = AppImageAssets(document.assets)
        pictures = AppImageAddresses(
            splash: own.splashImage?.address(), help: own.helpImage?.address(), info: own.infoImage?.address()
        )
        pieces = zip(concert.pieces, document.pieceNodes).map { piece, nodes in
            Piece(piece, waveform: nodes.waveform, linkers: linkers)
        }
        glossary = concert.glossary.items.map {
            GlossaryEntryJSON(
                name: $0.name, category: $0.category, description: $0.description, history: $0.history,
                image: $0.image.map { "/images/\($0)" }, language: $0.language?.tag)
        }
    }

    package static func encodeJSON(_ value: some Encodable) -> [UInt8] { JSONBody.encode(value) }
}

/// Finds glossary words in texts. There is one search table for each language of a concert, shared by all its pieces.
package struct GlossaryLinkersByLanguage {
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
    package init(_ piece: PieceContent, waveform: Waveform?, linkers: GlossaryLinkersByLanguage) {
        let words = Self.splitPieceName(of: piece.name.text)
        name = piece.name.text
        (composer, work, movement) = words
        measureCount = piece.measureCount
        measures = piece.measures.map { .init(printed: $0.printed, time: $0.onset.seconds) }
        endSeconds = piece.musicEndSeconds
        structure = AudienceConcert.Structure(
            sections: piece.structure.sections.map { section in
                .init(
                    label: section.label,
                    labels: section.translations.isEmpty
                        ? nil
                        : Dictionary(
                            section.translations.map { ($0.language.tag, $0.text) },
                            uniquingKeysWith: { first, _ in first }), colour: section.colour.fileText,
                    key: section.key?.name,
                    played: section.place.played, measure: section.place.printed,
                    time: section.place.time.seconds)
            }, end: piece.structure.endMeasureIndex(in: piece.measures))
        tracks = piece.tracks.map { track in
            let linker = linkers.linker(for: track.language)
            return .init(
                name: track.name, language: track.language?.tag, subject: track.subject,
                level: track.level?.rawValue, slides: track.slides.map { .init($0, linker: linker) })
        }
        self.waveform = waveform?.points ?? []
        offlineFolder = piece.name.offlineFolderName
    }

    /// Splits a name of the form `Composer, Piece: Movement`; missing parts are empty.
    package static func splitPieceName(of name: String) -> (composer: String, work: String, movement: String)
    {
        let comma = name.firstRange(of: ", ")
        let composer = comma.map { String(name[..<$0.lowerBound]) } ?? ""
        let rest = comma.map { name[$0.upperBound...] } ?? name[...]
        guard let colon = rest.ranges(of: ": ").last else { return (composer, String(rest), "") }
        return (composer, String(rest[..<colon.lowerBound]), String(rest[colon.upperBound...]))
    }
}

extension AudienceConcert.Slide {
    package init(_ slide: Slide, linker: GlossaryLinker) {
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
            linker.links(in: part.textOrCaption).map { link in
                AudienceConcert.GlossaryLinkJSON(
                    part: index, start: link.utf16.lowerBound, length: link.utf16.count, item: link.item)
            }
        }
    }
}
