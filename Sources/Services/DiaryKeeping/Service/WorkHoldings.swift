import Catalogue
import Diary
import Foundation
import Podium
import WebServer

/// The house's material for its works, as far as a visitor may open it: models to practise with, slides, scores with
/// their parts, and tabs. A work in the diary refers to them by their ids.
struct WorkHoldings: Sendable {
    /// Something that the house has, with the address at which this visitor opens it.
    struct Holding: Encodable, Hashable, Sendable {
        var kind: MusicalWork.Links.Kind
        var id: String
        var name: String
        var address: String
    }

    let catalogue: CatalogueStore
    /// The folder of prepared pieces; nil if there is none.
    let modelsFolder: String?
    let readProgramme: @Sendable () -> ShowProgramme

    /// Returns the parts of a work's links that the visitor may open; those that no longer exist are left out.
    /// - Parameter heard: the models with which the work was followed; they belong to it without a link.
    func holdings(
        of links: MusicalWork.Links, heard: [String], for viewer: DiaryViewer
    ) async throws(CatalogueError) -> [Holding] {
        var (links, found) = (links, [Holding]())
        for model in heard where !model.isEmpty && !links.models.contains(model) {
            links.models.append(model)
        }
        let wanted = Set(links.models)
        if viewer.person != nil {
            found += models().filter { wanted.contains($0.id) }
            found += try await scores(for: viewer) { id, folders in
                links.scores.contains(id) || !wanted.isDisjoint(with: folders)
            }
        }
        if !links.slides.isEmpty {
            found += try await slides(for: viewer, in: concerts(of: links.slides)) {
                links.slides.contains($0)
            }
        }
        if viewer.person != nil, !links.tabs.isEmpty {
            found += try await tabs(for: viewer).filter { links.tabs.contains($0.id) }
        }
        return found
    }

    /// Returns everything that the visitor may open, for a choice.
    func all(for viewer: DiaryViewer) async throws(CatalogueError) -> [Holding] {
        try await models() + scores(for: viewer) { _, _ in true } + slides(for: viewer, in: nil) { _ in true }
            + tabs(for: viewer)
    }

    // MARK: Models

    private func models() -> [Holding] {
        let names = Dictionary(
            readProgramme().pieces.map { ($0.folder, $0.name.text) }, uniquingKeysWith: { first, _ in first })
        return folders().map { folder in
            let address = folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return Holding(
                kind: .model, id: folder,
                name: names[folder] ?? folder.replacingOccurrences(of: "-", with: " "),
                address: "/practice/follow?piece=\(address)")
        }
    }

    private func folders() -> [String] {
        guard let modelsFolder else { return [] }
        let found = try? FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: modelsFolder), includingPropertiesForKeys: [.isDirectoryKey])
        return (found ?? []).filter {
            (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
                && !$0.lastPathComponent.hasPrefix(".")
        }.map(\.lastPathComponent).sorted()
    }

    // MARK: Scores

    /// The part of a stored score that is shown here.
    private struct ScoreCover: Decodable {
        struct Movement: Decodable {
            var piece: String?
        }

        struct Part: Decodable {
            var name: String?
        }

        var title: String
        var composer: String?
        var movements: [Movement]?
        var parts: [Part]?
    }

    private func scores(
        for viewer: DiaryViewer, where isWanted: (_ id: String, _ folders: [String]) -> Bool
    ) async throws(CatalogueError) -> [Holding] {
        guard let person = viewer.person else { return [] }
        let isLibrarian = person.role == .editor || person.role == .administrator
        let granted = isLibrarian ? [] : try await catalogue.scores(givenTo: AccountID(rawValue: person.id))
        guard isLibrarian || !granted.isEmpty else { return [] }
        return try await catalogue.scores().compactMap { score in
            guard isLibrarian || granted.contains(score.id),
                let cover = try? JSONDecoder().decode(ScoreCover.self, from: Data(score.contentJSON.utf8)),
                isWanted(score.id, (cover.movements ?? []).compactMap(\.piece))
            else { return nil }
            let title = [cover.composer ?? "", cover.title].filter { !$0.isEmpty }.joined(separator: ", ")
            let parts = (cover.parts ?? []).compactMap(\.name).prefix(6).joined(separator: ", ")
            return Holding(
                kind: .score, id: score.id, name: parts.isEmpty ? title : "\(title) (\(parts))",
                address: isLibrarian ? "/library#/score/\(score.id)" : "/stand")
        }
    }

    // MARK: Slides

    /// The ids of the concerts that hold these pieces; the id of a piece is `CONCERT/NODE`.
    private func concerts(of pieces: [String]) -> Set<Int64> {
        Set(pieces.compactMap { $0.split(separator: "/").first.flatMap { Int64($0) } })
    }

    /// - Parameter wanted: the concerts to look into; nil for all.
    private func slides(
        for viewer: DiaryViewer, in wanted: Set<Int64>?, where isWanted: (String) -> Bool
    ) async throws(CatalogueError) -> [Holding] {
        let isEditor = viewer.person.map { $0.role == .editor || $0.role == .administrator } ?? false
        var found: [Holding] = []
        for concert in try await catalogue.concerts()
        where (wanted?.contains(concert.id) ?? true) && (isEditor || concert.isPublic) {
            guard let tree = try? await catalogue.concertContent(of: concert.id) else { continue }
            for piece in tree.children(of: .root, kind: .piece) {
                let id = "\(concert.id)/\(piece.id.rawValue)"
                guard isWanted(id) else { continue }
                let folder =
                    piece["folder"]
                    .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                found.append(
                    Holding(
                        kind: .slides, id: id, name: "\(piece["name"]) (\(concert.title))",
                        address: isEditor
                            ? "/edit#/\(concert.id)/piece/\(piece.id.rawValue)"
                            : folder.isEmpty ? "/" : "/#/piece/\(folder)"))
            }
        }
        return found
    }

    // MARK: Tabs

    private func tabs(for viewer: DiaryViewer) async throws(CatalogueError) -> [Holding] {
        guard let person = viewer.person else { return [] }
        return try await catalogue.practiceTabs(readableBy: person.id).map {
            Holding(kind: .tab, id: $0.id, name: $0.title, address: "/practice#/\($0.id)")
        }
    }
}
