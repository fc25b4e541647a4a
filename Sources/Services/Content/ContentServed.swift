import Catalogue
import Concert
import Digests
import Podium
import Score
import WebServer

/// What listeners find at one revision, made once for all of them.
package struct ContentServed: Sendable {
    package let id: Int64
    package let document: ContentDocument
    /// `3.17`: the concert and its revision; equal where nothing changed.
    package let revision: String
    package let pieceList: WebDocument
    package let pieceTexts: PieceTexts
    package let concert: AudienceConcert
    /// The concert as the page loads it when it has nothing of it yet.
    package let audience: WebDocument
    /// The same in parts, for pages that have most of it.
    package let parts: AudienceParts?
    package let glossary: WebDocument
    /// Each piece as the audience gets it, to tell which ones an edit has changed.
    package let pieces: [String: AudienceConcert.Piece]
    /// Of what belongs to all pieces.
    package let rest: [UInt8]
    /// The programme notes: an asset, or made of a text.
    package let notes: ContentAsset?

    /// Cost: some milliseconds for five pieces. Not for the desk's thread.
    /// - Parameter old: what listeners found before; pieces that are still the same are not written again.
    package init(_ id: Int64, _ tree: ContentTree, shelf: AssetStore, after old: ContentServed? = nil) {
        self.id = id
        document = ContentDocument(tree).servable(by: shelf)
        revision = "\(id).\(tree.revision)"
        let written = document.concert
        let names = written.pieces.map(\.name)
        // A name that phones would take apart cannot be written; one that came in before is left out.
        let listed = names.filter { $0.concertNameFault?.isRefused != true }
        let list = (try? ContentXMLWriter.pieceList(listed)) ?? []
        pieceList = WebDocument(
            contentType: "text/plain; charset=utf-8", body: list, tag: "pieces-\(revision)")
        pieceTexts = PieceTexts(written.pieces, tag: revision, reusing: old?.pieceTexts)
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
        rest = AudienceConcert.json(all) + list
    }

    /// The names of the pieces that an older revision showed otherwise, or not at all.
    package func changed(since old: ContentServed) -> [String] {
        document.concert.pieces.map(\.name.text).filter { old.pieces[$0] != pieces[$0] }
    }

    /// Whether a listener would see any difference.
    package func isSame(as old: ContentServed) -> Bool {
        old.id == id && old.pieces == pieces && old.rest == rest
            && old.document.assets.map(\.fields) == document.assets.map(\.fields)
    }

    private static func notes(of document: ContentDocument, shelf: AssetStore) -> ContentAsset? {
        let wanted = document.concert.programNotes?.text ?? ContentFile.notes
        if let asset = document.asset(.AppAssets, wanted), asset.type == ContentAssetKind.pdf.type {
            return asset
        }
        guard let text = document.notesText, let bytes = shelf.bytes(of: text.digest),
            let name = try? AssetName(ContentFile.notes),
            let pdf = NotesPDF.pdf(of: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let digest = Digest(of: pdf).description
        if shelf.path(of: digest) == nil {
            do throws(CatalogueError) { try shelf.keep(pdf, digest: digest) } catch { return nil }
        }
        return ContentAsset(
            place: .AppAssets, name: name, digest: digest, type: ContentAssetKind.pdf.type,
            byteCount: pdf.count)
    }

    // MARK: Where the podium's position is in the content

    /// The piece of a name, counted as the audience counts.
    package func piece(named name: PieceName) -> Int? {
        document.concert.pieces.firstIndex { $0.name == name }
            ?? PieceName.match(name.text, among: document.concert.pieces.map(\.name))
    }

    /// The played measure of the content that a position of the show means.
    ///
    /// The same number where both play the same measures; else the same occurrence of the same printed number. A bar
    /// that the content's map does not have is the last one before it, so that a slide comes late and never early.
    /// - Returns: nil before the first bar that the map has.
    /// - Complexity: O(measures) where the maps differ.
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
