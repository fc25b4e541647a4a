import Catalogue
import Concert
import Content
import Foundation
import WebServer

/// Copies a whole concert, or one piece of it, so that texts of an earlier evening can be used again.
extension ContentEditRoutes {
    private struct CopyConcertRequest: Decodable {
        var title: String?
    }

    private struct NewConcertAnswer: Encodable {
        var concert: Int64
    }

    /// Copies a concert with everything except its date.
    @Sendable func copyConcert(_ request: WebRequest) async throws -> WebResponse {
        var new = CopyConcertRequest()
        if !request.body.isEmpty {
            guard let read = try? JSONDecoder().decode(CopyConcertRequest.self, from: Data(request.body))
            else {
                return .refused(400, "bad-json", "Send nothing, or {\"title\": \"…\"}.")
            }
            new = read
        }
        let tree = try await loadContentTree(try parseConcertID(request))
        let old = tree.root["title"]
        let title =
            new.title.map { CleanText.cleanedLine($0) } ?? "Copy of \(old.isEmpty ? "a concert" : old)"
        var changes = tree.copyChanges(of: .root).changes.filter {
            if case .setField(_, field: "date", _) = $0 { false } else { true }
        }
        changes.append(
            .setField(.root, field: "title", to: String(title.prefix(ContentRules.longestConcertTitle))))
        let id = try await concertEditor.createConcert(
            changes, by: authorName(request), label: "copy of \(old.prefix(120))")
        return .json(NewConcertAnswer(concert: id))
    }

    private struct CopyPieceRequest: Decodable {
        /// The concert that holds the piece to copy.
        var from: Int64
        var piece: ConcertNodeID
    }

    private struct CopyPieceAnswer: Encodable {
        var revision: Int
        var piece: ConcertNodeID
        var notes: [String]
    }

    /// Copies a piece of another concert with its tracks, form and images, as one edit that can be undone.
    @Sendable func copyPiece(_ request: WebRequest) async throws -> WebResponse {
        guard let order = try? JSONDecoder().decode(CopyPieceRequest.self, from: Data(request.body)) else {
            return .refused(400, "bad-json", "Send {\"from\": CONCERT, \"piece\": NODE}.")
        }
        let id = try parseConcertID(request)
        let target = CatalogueConcert(try await loadContentTree(id))
        let source = CatalogueConcert(try await loadContentTree(order.from))
        guard let piece = source.contentTree[order.piece], piece.kind == .piece else {
            throw ConcertEditFault.noSuchNode(order.piece.rawValue)
        }
        let name = piece["name"]
        guard
            !target.contentTree.children(of: .root, kind: .piece).contains(where: { $0["name"] == name })
        else {
            return .refused(
                409, "same-name",
                "This concert has “\(name.prefix(120))” already. Rename or remove that piece first.")
        }
        let copying = PieceCopy(order.piece, from: source, to: target)
        let revision = try await edit(
            id, target, copying.changes, by: request, label: "copy of \(name.prefix(120))")
        return .json(
            CopyPieceAnswer(
                revision: revision, piece: copying.copiedPieceID,
                notes: copying.renamedImageNotes))
    }
}

/// Copies a piece into another concert, with the images that its slides show.
struct PieceCopy {
    let copiedPieceID: ConcertNodeID
    private(set) var changes: [ConcertChange]
    /// Notes for the editor: one sentence for each image that was renamed.
    private(set) var renamedImageNotes: [String] = []

    init(_ id: ConcertNodeID, from source: CatalogueConcert, to target: CatalogueConcert) {
        let copy = source.contentTree.copyChanges(of: id)
        (copiedPieceID, changes) = (copy.copy, copy.changes)
        var others: [AssetName: AssetName] = [:]
        for name in Self.shownImageNames(of: changes) {
            guard let asset = source.findAsset(.images, name.text) else { continue }
            let there = target.findAsset(.images, name.text)
            guard there?.digest != asset.digest else { continue }
            var kept = asset
            if there != nil, let unusedName = Self.unusedName(name, in: target) {
                // Slides of the target concert show a different image of the same name.
                kept.name = unusedName
                others[name] = unusedName
                renamedImageNotes.append(
                    "This concert has another picture “\(name)”: the copied one is “\(unusedName)”.")
            }
            changes.append(.insertNode(.random(), .asset, in: .root, before: nil, fields: kept.nodeFields))
        }
        guard !others.isEmpty else { return }
        changes = changes.map { change in
            guard case .insertNode(let id, .slide, let parent, let sibling, var fields) = change else {
                return change
            }
            fields["text"] = fields["text"].map { SlideText($0).renamingImages(others).writtenText }
            return .insertNode(id, .slide, in: parent, before: sibling, fields: fields)
        }
    }

    private static func shownImageNames(of changes: [ConcertChange]) -> [AssetName] {
        var seen: Set<AssetName> = []
        return changes.flatMap { change -> [AssetName] in
            guard case .insertNode(_, .slide, _, _, let fields) = change else { return [] }
            return SlideText(fields["text"] ?? "").images
        }.filter { seen.insert($0).inserted }
    }

    /// The first unused name of the form `name-2.png`, `name-3.png`.
    private static func unusedName(_ name: AssetName, in target: CatalogueConcert) -> AssetName? {
        let stem = name.text.dropLast(name.fileExtension.count + 1)
        for number in 2...ConcertNodeKind.asset.mostNodesInConcert + 2 {
            guard let other = try? AssetName("\(stem)-\(number).\(name.fileExtension)") else { return nil }
            if target.findAsset(.images, other.text) == nil { return other }
        }
        return nil
    }
}
