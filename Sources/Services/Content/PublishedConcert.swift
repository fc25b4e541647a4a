import Catalogue
import Concert
import Digests
import Podium
import Score
import WebServer

/// A concert at one revision in all formats that listeners get, built once for all of them.
package struct PublishedConcert: Sendable {
    package let id: Int64
    package let document: CatalogueConcert
    /// `3.17`: the concert's number and its revision; equal if nothing changed.
    package let revision: String
    package let pieceList: WebDocument
    package let pieceXMLCache: PieceXMLCache
    package let concert: AudienceConcert
    /// The concert as the page loads it when it has nothing of it yet.
    package let audience: WebDocument
    /// The same in parts, for pages that have most of it.
    package let parts: AudienceParts?
    package let glossary: WebDocument
    /// Each piece in the audience's format, by name; used to find the pieces that an edit has changed.
    package let pieces: [String: AudienceConcert.Piece]
    /// Everything apart from the pieces, as bytes; used to compare two revisions.
    package let bytesWithoutPieces: [UInt8]
    /// The programme notes as PDF, uploaded or typeset; nil if there are none.
    package let notes: ContentAsset?

    /// Cost: some milliseconds for five pieces; not for the show's thread.
    /// - Parameter old: the previously published concert; unchanged pieces are not written again.
    package init(_ id: Int64, _ tree: ContentTree, shelf: AssetStore, after old: PublishedConcert? = nil) {
        self.id = id
        document = CatalogueConcert(tree).servable(by: shelf)
        revision = "\(id).\(tree.revision)"
        let written = document.concert
        let names = written.pieces.map(\.name)
        // Phones cannot separate such a name in the list of pieces. It cannot be entered any more; an older one is
        // left out.
        let listed = names.filter { $0.concertNameFault?.isRefused != true }
        let list = (try? ContentXMLWriter.pieceList(listed)) ?? []
        pieceList = WebDocument(
            contentType: "text/plain; charset=utf-8", body: list, tag: "pieces-\(revision)")
        pieceXMLCache = PieceXMLCache(written.pieces, tag: revision, reusing: old?.pieceXMLCache)
        glossary = WebDocument(
            contentType: "application/xml", body: GlossaryXMLWriter.glossary(written.glossary),
            tag: "glossary-\(revision)")
        notes = Self.notes(of: document, shelf: shelf)
        var all = AudienceConcert(document, revision: revision, notes: notes)
        all.setVersions(
            images: Dictionary(
                document.assets.filter { $0.place == .images }.map { ("/images/\($0.name)", $0.digest) },
                uniquingKeysWith: { first, _ in first }))
        concert = all
        parts = AudienceParts(of: all, reusing: old?.parts)
        audience = WebDocument(
            contentType: "application/json", body: AudienceConcert.json(all), tag: "concert-\(revision)")
        pieces = Dictionary(
            all.pieces.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        all.pieces = []
        all.revision = ""
        bytesWithoutPieces = AudienceConcert.json(all) + list
    }

    /// Names of the pieces that are new or differ from those of the older revision.
    package func changed(since old: PublishedConcert) -> [String] {
        document.concert.pieces.map(\.name.text).filter { old.pieces[$0] != pieces[$0] }
    }

    /// True if no listener would see a difference between the two revisions.
    package func isSame(as old: PublishedConcert) -> Bool {
        old.id == id && old.pieces == pieces && old.bytesWithoutPieces == bytesWithoutPieces
            && old.document.assets.map(\.fields) == document.assets.map(\.fields)
    }

    private static func notes(of document: CatalogueConcert, shelf: AssetStore) -> ContentAsset? {
        let wanted = document.concert.programNotes?.text ?? ConcertFileResponses.notes
        if let asset = document.asset(.AppAssets, wanted), asset.type == ContentAssetKind.pdf.type {
            return asset
        }
        guard let text = document.notesTextAsset, let bytes = shelf.bytes(of: text.digest),
            let name = try? AssetName(ConcertFileResponses.notes),
            let pdf = ProgrammeNotesPDF.pdf(of: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let digest = Digest(of: pdf).description
        if shelf.path(of: digest) == nil {
            do throws(CatalogueError) { try shelf.keep(pdf, digest: digest) } catch { return nil }
        }
        return ContentAsset(
            place: .AppAssets, name: name, digest: digest, type: ContentAssetKind.pdf.type,
            byteCount: pdf.count)
    }

    // MARK: The show's position in the content

    /// Index of the piece with this name in the audience's list.
    package func piece(named name: PieceName) -> Int? {
        document.concert.pieces.firstIndex { $0.name == name }
            ?? PieceName.match(name.text, among: document.concert.pieces.map(\.name))
    }

    /// The played measure of the content for a position of the show.
    ///
    /// If both play the same measures, it has the same number; otherwise it is the same occurrence of the same
    /// printed number. If the content's map lacks that bar, it is the last earlier bar that the map has, so that a
    /// slide may come late but never early.
    /// - Returns: nil before the first bar that the map has.
    /// - Complexity: O(measures) if the maps differ.
    package func played(_ shown: AudiencePosition, in piece: Int, of show: ShowPiece) -> Int? {
        let content = document.concert.pieces[piece].measures
        let marks = show.measures.marks
        if content.count == show.playedCount, content.indices.contains(shown.played),
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
