import Basics
import Catalogue
import Concert
import Content
import Foundation
import Hosting
import Score

/// Keeps the concert that listeners find a concert of tonight's programme: puts the pieces that are added into it. If it
/// has no piece of the programme, it belongs to another evening, and listeners find one that has all; if there is none,
/// one is made. Its pieces have the order of the programme.
///
/// A piece comes with the texts of the newest other concert that has some for it, else with those stored with its
/// recordings, else with its name, measures and waveform alone. Each is an edit like any other: editors see it in the
/// earlier versions, and may write slides for the piece at once.
struct AddedPieces {
    static let author = "tonight's programme"

    let desk: ConcertEditor
    /// The changed programme.
    let programme: InitialContent
    /// The names of the pieces before the change.
    let earlierNames: [PieceName]

    /// Adds the pieces that the concert lacks, or serves another one. Under show lock listeners keep their concert.
    /// - Returns: sentences for the operator.
    func addToServedConcert() async -> [String] {
        guard let served = desk.servedConcert else { return [] }
        let names = programme.references.map(\.name)
        guard names != earlierNames, !names.isEmpty else { return [] }
        var notes: [String] = []
        guard
            !names.contains(where: { !earlierNames.contains($0) })
                || served.catalogueConcert.concert.pieces.isEmpty
                || names.contains(where: { served.pieceIndex(named: $0) != nil })
        else {
            do {
                notes += try await serveConcertOfProgramme(names)
            } catch {
                notes.append("Listeners still find the concert of another evening: \(error.explanation)")
            }
            return notes
        }
        func note(_ name: PieceName, _ reason: String) {
            notes.append("“\(name)” could not be added to the concert of the listeners: \(reason)")
        }
        for (index, name) in names.enumerated() where !earlierNames.contains(name) {
            do {
                notes += try await addPiece(index, to: served.id)
            } catch {
                note(name, error.explanation)
            }
        }
        do { try await followOrder(of: names, in: served.id) } catch {
            notes.append("The concert of the listeners keeps its order: \(error.explanation)")
        }
        return notes
    }

    /// Puts the pieces of the programme into its order. Pieces that are not played tonight stay, after them.
    private func followOrder(of names: [PieceName], in id: Int64) async throws {
        let target = CatalogueConcert(try await desk.catalogue.concertContent(of: id))
        var order: [Int] = []
        for index in names.compactMap({ Self.pieceIndex(of: $0, in: target) })
            + Array(target.pieceNodes.indices)
        where !order.contains(index) { order.append(index) }
        guard order != Array(target.pieceNodes.indices) else { return }
        _ = try await desk.edit(
            id,
            ConcertEdit(
                baseRevision: target.contentTree.revision,
                changes: order.map { .moveNode(target.pieceNodes[$0].id, in: .root, before: nil) },
                author: Self.author, label: "the order of the programme"))
    }

    private func serveConcertOfProgramme(_ names: [PieceName]) async throws -> [String] {
        guard !desk.isShowLocked() else { return [] }
        for other in try await desk.catalogue.concerts().reversed() {
            let concert = CatalogueConcert(try await desk.catalogue.concertContent(of: other.id))
            guard names.allSatisfy({ Self.pieceIndex(of: $0, in: concert) != nil }) else { continue }
            try await desk.makeConcertPublic(other.id, by: Self.author)
            return ["Listeners now find the concert “\(other.title)”, which has the pieces of the programme."]
        }
        var notes: [String] = []
        var files = programme.readFiles()
        files.concertDetails = ConcertDetails(
            title: String(programme.title.prefix(ContentRules.longestConcertTitle)))
        let made = try await files.makeConcert(
            in: desk, author: Self.author, label: "made of the programme", leavingOut: { notes.append($0) })
        try await desk.makeConcertPublic(made, by: Self.author)
        return notes + ["Listeners now find a concert of the programme: “\(programme.title)”."]
    }

    /// Adds one piece of the programme, unless the concert has it.
    private func addPiece(_ index: Int, to id: Int64) async throws -> [String] {
        let name = programme.references[index].name
        let target = CatalogueConcert(try await desk.catalogue.concertContent(of: id))
        guard Self.pieceIndex(of: name, in: target) == nil else { return [] }
        let sibling = findSibling(of: index, in: target)
        var found = try await copyOfAnotherConcert(name, to: target, id, before: sibling)
        if found == nil { found = try await readFromFiles(index, for: target, before: sibling) }
        guard let (changes, origin) = found else { return [] }
        _ = try await desk.edit(
            id,
            ConcertEdit(
                baseRevision: target.contentTree.revision, changes: changes, author: Self.author,
                label: "added \(name.text.prefix(120))"))
        return [
            "“\(name)” is now in the concert “\(target.concert.title)” that listeners find, with \(origin)."
        ]
    }

    private static func pieceIndex(of name: PieceName, in concert: CatalogueConcert) -> Int? {
        PieceName.match(name.text, among: concert.concert.pieces.map(\.name))
    }

    /// Finds the piece of the concert before which a new one goes: after the piece that comes before it tonight.
    /// - Returns: nil for the end of the concert.
    private func findSibling(of index: Int, in target: CatalogueConcert) -> ConcertNodeID? {
        let earlier = programme.references[..<index].reversed().lazy
            .compactMap { Self.pieceIndex(of: $0.name, in: target) }.first
        let next = earlier.map { $0 + 1 } ?? 0
        return target.pieceNodes.indices.contains(next) ? target.pieceNodes[next].id : nil
    }

    /// Copies the piece from the newest other concert that has texts for it.
    private func copyOfAnotherConcert(
        _ name: PieceName, to target: CatalogueConcert, _ id: Int64, before sibling: ConcertNodeID?
    ) async throws -> (changes: [ConcertChange], origin: String)? {
        for other in try await desk.catalogue.concerts().reversed() where other.id != id {
            let source = CatalogueConcert(try await desk.catalogue.concertContent(of: other.id))
            guard let piece = source.concert.pieces.firstIndex(where: { $0.name == name }),
                source.concert.pieces[piece].tracks.contains(where: { !$0.slides.isEmpty })
            else { continue }
            let copy = PieceCopy(source.pieceNodes[piece].id, from: source, to: target)
            return (
                copy.changes + [.moveNode(copy.copiedPieceID, in: .root, before: sibling)],
                "the texts of the concert “\(source.concert.title)”"
            )
        }
        return nil
    }

    /// Takes the piece from the files stored with its recordings, with the images that its slides show.
    private func readFromFiles(
        _ index: Int, for target: CatalogueConcert, before sibling: ConcertNodeID?
    ) async throws -> (changes: [ConcertChange], origin: String) {
        var alone = programme
        alone.pieceFolderNames = [programme.pieceFolderNames[index]]
        alone.references = [programme.references[index]]
        let files = alone.readFiles()
        var builder = ContentEditBuilder()
        var (shown, hasTexts): (Set<AssetName>, Bool) = ([], false)
        for piece in files.pieces where piece.content.name == programme.references[index].name {
            builder.addPiece(
                piece.content, folder: piece.recordingsFolder, waveform: piece.waveform, before: sibling)
            let slides = piece.content.tracks.flatMap(\.slides)
            hasTexts = hasTexts || !slides.isEmpty
            shown.formUnion(slides.flatMap(\.text.images))
        }
        let images = try await files.storeAssets(in: desk) { file in
            file.folder == .images && shown.contains(file.name)
                && target.findAsset(.images, file.name.text) == nil
        }
        for image in images { builder.addAsset(image) }
        try builder.applyRules()
        return (
            builder.changes, hasTexts ? "the texts of its recordings" : "its name and its bars"
        )
    }
}
