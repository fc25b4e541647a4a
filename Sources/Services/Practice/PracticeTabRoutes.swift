import Catalogue
import WebServer

/// The routes by which the page keeps a person's tabs on the server.
struct PracticeTabRoutes {
    let catalogue: CatalogueStore

    var routes: [WebRoute] {
        let tabs = "/api/practice/tabs"
        return [
            WebRoute(.get, tabs, .signedIn) { await answer($0, list) },
            WebRoute(.get, tabs + "/:tab", .signedIn) { await answer($0, read) },
            WebRoute(.put, tabs + "/:tab", .signedIn, bodyLimitBytes: PracticeTabLimits.mostTabBytes) {
                await answer($0, save)
            },
            WebRoute(.delete, tabs + "/:tab", .signedIn) { await answer($0, remove) },
            WebRoute(.get, tabs + "/:tab/readers", .signedIn) { await answer($0, readers) },
            WebRoute(.put, tabs + "/:tab/readers", .signedIn) { await answer($0, share) },
            WebRoute(.delete, tabs + "/:tab/readers", .signedIn) { await answer($0, endSharing) },
        ]
    }

    private struct ListedTab: Encodable {
        var id: String
        var title: String
        var owner: String
        var version: Int
        var isMine: Bool
        var isShared: Bool
        var bytes: Int
        var changedAt: Int64

        init(_ tab: StoredPracticeTab, for person: WebPerson) {
            id = tab.id
            title = tab.title
            owner = tab.owner
            version = tab.version
            isMine = tab.account == person.id
            isShared = tab.isShared
            bytes = tab.byteCount
            changedAt = tab.changedAtMilliseconds
        }
    }

    private struct List: Encodable {
        /// The id of the account, which stays the same if the account is renamed.
        var account: String
        var person: String
        /// The ids of the person's tabs that were removed, so that other devices remove them too.
        var removed: [String]
        var tabs: [ListedTab]
    }

    private struct Saved: Encodable {
        var id: String
        var version: Int
        /// True if a newer version was there, so that the change became a tab of its own.
        var isCopy: Bool
    }

    private func list(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let tabs = try await catalogue.practiceTabs(readableBy: person.id)
        let removed = try await catalogue.removedPracticeTabs(of: person.id)
        return .json(
            List(
                account: person.id, person: person.name, removed: removed,
                tabs: tabs.map { ListedTab($0, for: person) }))
    }

    private func read(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        guard let found = try await catalogue.practiceTab(Self.tabID(request), readableBy: person.id) else {
            throw PracticeRefusal.noSuchTab
        }
        if found.tab.account != person.id {
            // Only the owner's list of readers lacks it if it cannot be stored now.
            try? await catalogue.noteArrival(ofPracticeTab: found.tab.id, at: person.id)
        }
        // The content is JSON since it was checked when it came in.
        let heading = JSONBody.encode(ListedTab(found.tab, for: person)).dropLast()
        return .json(Array(heading) + Array(#","tab":"#.utf8) + found.content + Array("}".utf8))
    }

    private func save(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let title = request.queryParameters["title"] ?? ""
        guard (1...200).contains(title.count) else { throw PracticeRefusal.badTitle }
        guard let base = Int(request.queryParameters["base"] ?? "0"), base >= 0, base < 1 << 40 else {
            throw PracticeRefusal.badVersion
        }
        let id = try Self.tabID(request)
        try PracticeTabContent.check(request.body)
        let change = PracticeTabChange(
            id: id, account: person.id, owner: person.name, title: title,
            content: request.body, isShared: request.queryParameters["shared"] == "1", baseVersion: base)
        switch try await catalogue.savePracticeTab(change, within: .limits(for: person.role)) {
        case .saved(let id, let version): return .json(Saved(id: id, version: version, isCopy: false))
        case .savedAsCopy(let id, let version): return .json(Saved(id: id, version: version, isCopy: true))
        case .tooManyTabs(let most): throw PracticeRefusal.tooManyTabs(most)
        case .accountFull(let bytes): throw PracticeRefusal.accountFull(bytes: bytes)
        case .storageFull: throw PracticeRefusal.storageFull
        }
    }

    private func remove(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        guard let version = Int(request.queryParameters["version"] ?? "") else {
            throw PracticeRefusal.badVersion
        }
        guard try await catalogue.removePracticeTab(Self.tabID(request), of: person.id, version: version)
        else {
            throw PracticeRefusal.changedMeanwhile
        }
        return .succeeded
    }

    // MARK: Readers

    private struct ReaderRequest: Decodable {
        var name: String
    }

    private struct Readers: Encodable {
        struct Reader: Encodable {
            /// The name as the owner wrote it.
            var name: String
            var hasArrived: Bool
        }
        var readers: [Reader]
    }

    /// The persons whom the owner lets read a tab.
    private func readers(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        guard let found = try await catalogue.readers(ofPracticeTab: Self.tabID(request), of: person.id)
        else {
            throw PracticeRefusal.noSuchTab
        }
        return .json(Readers(readers: found.map { .init(name: $0.name, hasArrived: $0.hasArrived) }))
    }

    private func share(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let name = try JSONBody.decode(ReaderRequest.self, from: request.body).name
        switch try await catalogue.sharePracticeTab(Self.tabID(request), of: person.id, with: name) {
        case .shared: return try await readers(request, by: person)
        case .noSuchTab: throw PracticeRefusal.noSuchTab
        case .ownName: throw PracticeRefusal.ownName
        case .tooManyReaders(let most): throw PracticeRefusal.tooManyReaders(most)
        }
    }

    private func endSharing(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let name = try JSONBody.decode(ReaderRequest.self, from: request.body).name
        guard
            try await catalogue.endSharing(ofPracticeTab: Self.tabID(request), of: person.id, with: name)
        else { throw PracticeRefusal.noSuchTab }
        return try await readers(request, by: person)
    }

    private func answer(
        _ request: WebRequest, _ work: (WebRequest, WebPerson) async throws -> WebResponse
    ) async -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        do { return try await work(request, person) } catch let refusal as PracticeRefusal {
            return refusal.response
        } catch let error as JSONFault {
            return .refused(400, "bad-json", error.sentence)
        } catch let error as CatalogueError {
            if case .invalidAccountName = error { return .refused(422, "bad-name", error.sentence) }
            if case .diskFull = error { return .refused(507, "disk-full", error.sentenceWithoutPath) }
            return .refused(503, "not-stored", error.sentenceWithoutPath)
        } catch {
            return .refused(400, "bad-request", "The request cannot be used: \(error).")
        }
    }

    /// The id that the page made: letters, digits and hyphens.
    private static func tabID(_ request: WebRequest) throws -> String {
        let id = request.pathParameters["tab"] ?? ""
        guard (8...40).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw PracticeRefusal.badID }
        return id
    }
}
