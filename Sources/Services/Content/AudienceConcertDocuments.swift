import Concert
import Platform
import WebServer

/// The concert in separate documents: one for each piece, and one for everything that belongs to all pieces.
///
/// A page that already has most parts loads only those whose versions have changed. Both servers of a pair make the
/// same parts of a concert, so a page may switch between them.
package struct AudienceConcertDocuments: Sendable {
    /// The versions of a concert's parts, as the audience's live stream sends them.
    package struct Versions: Codable, Equatable, Sendable {
        /// The version of everything except the pieces.
        package var heading: String
        /// The versions of the pieces, in the concert's order.
        package var pieces: [String]
    }

    /// The concert's JSON without the revision and the pieces.
    struct ConcertWithoutPieces: Encodable {
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
    private let headingDocument: PrecompressedDocument
    private let pieceDocuments: [PrecompressedDocument]

    /// Makes the parts of a concert. Parts that `old` already holds are reused; writing and compressing new ones takes
    /// some milliseconds for 100 kB.
    /// - Returns: nil if the concert or one of its pieces has no version.
    package init?(of concert: AudienceConcert, reusing old: AudienceConcertDocuments? = nil) {
        guard let version = concert.version else { return nil }
        let numbers = concert.pieces.compactMap(\.version)
        guard numbers.count == concert.pieces.count else { return nil }
        versions = Versions(heading: version, pieces: numbers)
        let known = old.map { old in
            Dictionary(zip(old.versions.pieces, old.pieceDocuments), uniquingKeysWith: { first, _ in first })
        }
        headingDocument =
            old.flatMap { $0.versions.heading == version ? $0.headingDocument : nil }
            ?? Self.makeDocument(ConcertWithoutPieces(concert: concert), version)
        pieceDocuments = zip(numbers, concert.pieces).map { known?[$0] ?? Self.makeDocument($1, $0) }
    }

    private static func makeDocument(_ part: some Encodable, _ version: String) -> PrecompressedDocument {
        PrecompressedDocument(
            contentType: "application/json", body: AudienceConcert.encodeJSON(part), tag: "part-\(version)")
    }

    /// The HTTP routes of the parts, open to everybody.
    /// - Parameter newest: returns the newest parts; nil while no concert is served in parts.
    package static func makeRoutes(_ newest: @escaping @Sendable () -> AudienceConcertDocuments?)
        -> [WebRoute]
    {
        [
            WebRoute(.get, "/api/audience/heading", .anybody) { _ in
                newest().map { .document($0.headingDocument) } ?? noSuchDocumentResponse
            },
            WebRoute(.get, "/api/audience/pieces/:number", .anybody) { request in
                guard let parts = newest(), let number = Int(request.pathParameters["number"] ?? ""),
                    parts.pieceDocuments.indices.contains(number)
                else { return noSuchDocumentResponse }
                return .document(parts.pieceDocuments[number])
            },
        ]
    }

    private static let noSuchDocumentResponse = WebResponse.refused(
        404, "no-part", "There is no such part of the concert; load /api/audience/concert.")
}

extension AudienceConcert {
    /// Gives each piece a version, and everything else together another one. A version is computed from the text of the
    /// part and from the images that it shows.
    /// - Parameter images: digests by the images' addresses.
    mutating func setVersions(images: [String: String]) {
        for index in pieces.indices {
            pieces[index].version = nil
            let slides = pieces[index].tracks.flatMap(\.slides)
            var shown = slides.flatMap(\.parts).compactMap(\.image)
            shown += slides.flatMap(\.links).compactMap { glossary[$0.item].image }
            pieces[index].version = Self.makeVersion(
                of: Self.encodeJSON(pieces[index]), showing: shown, images)
        }
        version = nil
        let shown = glossary.compactMap(\.image) + info.cast.compactMap(\.image)
        version = Self.makeVersion(
            of: Self.encodeJSON(AudienceConcertDocuments.ConcertWithoutPieces(concert: self)), showing: shown,
            images)
    }

    /// Makes a version from 64 bits of a digest, so that different contents practically never get the same version.
    private static func makeVersion(of text: [UInt8], showing shown: [String], _ images: [String: String])
        -> String
    {
        let digests = Set(shown).sorted().map { "\($0) \(images[$0] ?? "")\n" }.joined()
        return String(Digest(of: text + Array(digests.utf8)).description.prefix(16))
    }
}
