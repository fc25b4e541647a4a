import Concert
import Digests
import WebServer

/// The concert in parts, for pages that have most of it: each piece, and everything that belongs to all pieces.
///
/// A page that knows the versions of its parts loads the other ones only. Servers and relays make the parts of the same
/// concert, so a page may change from one to another.
package struct AudienceParts: Sendable {
    /// The versions of the parts, for the audience's stream.
    package struct Versions: Codable, Equatable, Sendable {
        /// Of everything but the pieces.
        package var heading: String
        /// In the concert's order.
        package var pieces: [String]
    }

    /// The concert without revision and pieces.
    struct Heading: Encodable {
        var concert: AudienceConcert

        private enum CodingKeys: CodingKey {
            case version, title, date, programNotes, programNotesText, info, pictures, glossary
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encodeIfPresent(concert.version, forKey: .version)
            try fields.encode(concert.title, forKey: .title)
            try fields.encodeIfPresent(concert.date, forKey: .date)
            try fields.encodeIfPresent(concert.programNotes, forKey: .programNotes)
            try fields.encodeIfPresent(concert.programNotesText, forKey: .programNotesText)
            try fields.encode(concert.info, forKey: .info)
            try fields.encode(concert.pictures, forKey: .pictures)
            try fields.encode(concert.glossary, forKey: .glossary)
        }
    }

    package let versions: Versions
    private let heading: WebDocument
    private let pieces: [WebDocument]

    /// Cost: writes and packs the parts that `old` lacks; some milliseconds for 100 kB.
    /// - Returns: nil for a concert whose parts bear no versions.
    package init?(of concert: AudienceConcert, reusing old: AudienceParts? = nil) {
        guard let version = concert.version else { return nil }
        let numbers = concert.pieces.compactMap(\.version)
        guard numbers.count == concert.pieces.count else { return nil }
        versions = Versions(heading: version, pieces: numbers)
        let known = old.map { old in
            Dictionary(zip(old.versions.pieces, old.pieces), uniquingKeysWith: { first, _ in first })
        }
        heading =
            old.flatMap { $0.versions.heading == version ? $0.heading : nil }
            ?? Self.document(Heading(concert: concert), version)
        pieces = zip(numbers, concert.pieces).map { known?[$0] ?? Self.document($1, $0) }
    }

    private static func document(_ part: some Encodable, _ version: String) -> WebDocument {
        WebDocument(contentType: "application/json", body: AudienceConcert.json(part), tag: "part-\(version)")
    }

    /// The addresses of the parts. Open to anybody.
    /// - Parameter newest: nil while there is no concert in parts.
    package static func routes(_ newest: @escaping @Sendable () -> AudienceParts?) -> [WebRoute] {
        [
            WebRoute(.get, "/api/audience/heading", .anybody) { _ in
                newest().map { .document($0.heading) } ?? missing
            },
            WebRoute(.get, "/api/audience/pieces/:number", .anybody) { request in
                guard let parts = newest(), let number = Int(request.parameters["number"] ?? ""),
                    parts.pieces.indices.contains(number)
                else { return missing }
                return .document(parts.pieces[number])
            },
        ]
    }

    private static let missing = WebResponse.refused(
        404, "no-part", "There is no such part of the concert; load /api/audience/concert.")
}

extension AudienceConcert {
    /// Gives each piece, and everything else together, a version made of its text and of the images that it shows.
    /// - Parameter images: digests by the images' addresses.
    mutating func setVersions(images: [String: String]) {
        for index in pieces.indices {
            pieces[index].version = nil
            let slides = pieces[index].tracks.flatMap(\.slides)
            var shown = slides.flatMap(\.parts).compactMap(\.image)
            shown += slides.flatMap(\.links).compactMap { glossary[$0.item].image }
            pieces[index].version = Self.version(of: Self.json(pieces[index]), showing: shown, images)
        }
        version = nil
        let shown = glossary.compactMap(\.image) + info.cast.compactMap(\.image)
        version = Self.version(of: Self.json(AudienceParts.Heading(concert: self)), showing: shown, images)
    }

    /// 64 bits of a digest: two versions of the same part are never taken for one another.
    private static func version(of text: [UInt8], showing shown: [String], _ images: [String: String])
        -> String
    {
        let digests = Set(shown).sorted().map { "\($0) \(images[$0] ?? "")\n" }.joined()
        return String(Digest(of: text + Array(digests.utf8)).description.prefix(16))
    }
}
