import Catalogue
import Concert
import Platform
import Podium
import Score
import WebServer

/// One revision of a concert in all formats that listeners get, built once for all listeners.
package struct PublishedConcert: Sendable {
    package let id: Int64
    package let catalogueConcert: CatalogueConcert
    /// The concert's number and revision, such as `3.17`.
    package let revision: String
    package let pieceListDocument: PrecompressedDocument
    package let pieceXMLCache: PieceXMLCache
    package let audienceConcert: AudienceConcert
    /// The whole concert as JSON, for a page that has loaded none of it yet.
    package let wholeAudienceDocument: PrecompressedDocument
    /// The concert in separate parts, for pages that already have most of it; nil if its parts have no versions.
    package let separateAudienceDocuments: AudienceConcertDocuments?
    package let glossaryDocument: PrecompressedDocument
    /// Each piece in the audience's format, by name; used to find the pieces that an edit has changed.
    package let audiencePiecesByName: [String: AudienceConcert.Piece]
    /// The encoded bytes of everything except the pieces; used to compare two revisions.
    package let bytesWithoutPieces: [UInt8]
    /// The programme notes as PDF, uploaded or typeset; nil if there are none.
    package let programmeNotesAsset: ContentAsset?

    /// Builds all formats. It takes some milliseconds for five pieces, so it must not run on the show engine's thread.
    /// - Parameters:
    ///   - secret: what listeners are not told of, and the number of such changes before it.
    ///   - old: the previously published concert; unchanged pieces are not written again.
    package init(
        _ id: Int64, _ tree: ConcertTree, shelf: AssetStore,
        secret: (names: Set<PieceName>, change: Int) = ([], 0), after old: PublishedConcert? = nil
    ) {
        self.id = id
        catalogueConcert = CatalogueConcert(tree).withSafePictures(from: shelf).hiding(secret.names)
        revision = "\(id).\(tree.revision)" + (secret.change == 0 ? "" : "-\(secret.change)")
        let written = catalogueConcert.concert
        let names = written.pieces.map(\.name)
        // Phones cannot separate such a name in the list of pieces. It cannot be entered any more; an older one is
        // left out.
        let listed = names.filter { $0.concertNameFault?.isRefused != true }
        let list = (try? ContentXMLWriter.writePieceList(listed)) ?? []
        pieceListDocument = PrecompressedDocument(
            contentType: "text/plain; charset=utf-8", body: list, tag: "pieces-\(revision)")
        pieceXMLCache = PieceXMLCache(written.pieces, cacheTag: revision, reusing: old?.pieceXMLCache)
        glossaryDocument = PrecompressedDocument(
            contentType: "application/xml", body: GlossaryXMLWriter.writeGlossary(written.glossary),
            tag: "glossary-\(revision)")
        programmeNotesAsset = Self.makeProgrammeNotesAsset(of: catalogueConcert, shelf: shelf)
        var all = AudienceConcert(catalogueConcert, revision: revision, notes: programmeNotesAsset)
        all.setVersions(
            images: Dictionary(
                catalogueConcert.assets.filter { $0.folder == .images }.map {
                    ("/images/\($0.name)", $0.digest)
                },
                uniquingKeysWith: { first, _ in first }))
        audienceConcert = all
        separateAudienceDocuments = AudienceConcertDocuments(of: all, reusing: old?.separateAudienceDocuments)
        wholeAudienceDocument = PrecompressedDocument(
            contentType: "application/json", body: AudienceConcert.encodeJSON(all), tag: "concert-\(revision)"
        )
        audiencePiecesByName = Dictionary(
            all.pieces.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        all.pieces = []
        all.revision = ""
        bytesWithoutPieces = AudienceConcert.encodeJSON(all) + list
    }

    /// The names of the pieces that are new, or that have changed since the older revision.
    package func changedPieceNames(since old: PublishedConcert) -> [String] {
        catalogueConcert.concert.pieces.map(\.name.text).filter {
            old.audiencePiecesByName[$0] != audiencePiecesByName[$0]
        }
    }

    /// True if no listener would see a difference between the two revisions.
    package func hasSameContent(as old: PublishedConcert) -> Bool {
        old.id == id && old.audiencePiecesByName == audiencePiecesByName
            && old.bytesWithoutPieces == bytesWithoutPieces
            && old.catalogueConcert.assets.map(\.nodeFields) == catalogueConcert.assets.map(\.nodeFields)
    }

    private static func makeProgrammeNotesAsset(of document: CatalogueConcert, shelf: AssetStore)
        -> ContentAsset?
    {
        let wanted = document.concert.programNotes?.text ?? ConcertFileResponses.notesFileName
        if let asset = document.findAsset(.AppAssets, wanted),
            asset.mediaType == AssetFileFormat.pdf.mediaType
        {
            return asset
        }
        guard let text = document.notesTextAsset, let bytes = shelf.bytes(of: text.digest),
            let name = try? AssetName(ConcertFileResponses.notesFileName),
            let pdf = ProgrammeNotesPDF.typesetPDF(of: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let digest = Digest(of: pdf).description
        if shelf.path(of: digest) == nil {
            do throws(CatalogueError) { try shelf.store(pdf, digest: digest) } catch { return nil }
        }
        return ContentAsset(
            place: .AppAssets, name: name, digest: digest, type: AssetFileFormat.pdf.mediaType,
            byteCount: pdf.count)
    }

    // MARK: The show's position in the content

    /// The index of the piece with this name in the audience's list of pieces.
    package func pieceIndex(named name: PieceName) -> Int? {
        catalogueConcert.concert.pieces.firstIndex { $0.name == name }
            ?? PieceName.match(name.text, among: catalogueConcert.concert.pieces.map(\.name))
    }

    /// Finds the played measure of a piece's content that corresponds to a position of the show.
    ///
    /// If content and show play the same measures, the played measure has the same number. Otherwise the printed
    /// number and its occurrence are looked up in the content. If the content lacks this measure, the last earlier
    /// measure that the content has is taken, so that a slide may come late but never early.
    /// - Returns: nil before the first measure that the content has.
    /// - Complexity: O(measures) if the two play different measures.
    package func correspondingContentMeasure(_ shown: AudiencePosition, in piece: Int, of show: ShowPiece)
        -> Int?
    {
        let content = catalogueConcert.concert.pieces[piece].measures
        let marks = show.measures.marks
        if content.count == show.playedMeasureCount, content.indices.contains(shown.played),
            content[shown.played].printed == shown.printed
        {
            return shown.played
        }
        let occurrences = Dictionary(grouping: content.indices, by: { content[$0].printed })
        let heard = marks.prefix(shown.played + 1)
        guard let last = heard.lastIndex(where: { occurrences[$0.printed] != nil }),
            let candidates = occurrences[marks[last].printed]
        else { return nil }
        let earlier = marks[..<last].count(where: { $0.printed == marks[last].printed })
        return candidates[min(earlier, candidates.count - 1)]
    }
}
