import Catalogue
import WebServer

/// The routes by which the page keeps a person's tabs on the server.
struct PracticeTabRoutes {
    let catalogue: CatalogueStore

    var routes: [WebRoute] {
        let tabs = "/api/practice/tabs"
        return [
            WebRoute(.get, tabs, .signedIn) { try await answer($0, list) },
            WebRoute(.get, tabs + "/:tab", .signedIn) { try await answer($0, read) },
            WebRoute(.put, tabs + "/:tab", .signedIn, bodyLimitBytes: PracticeTabLimits.mostTabBytes) {
                try await answer($0, save)
            },
            WebRoute(.delete, tabs + "/:tab", .signedIn) { try await answer($0, remove) },
            WebRoute(.get, tabs + "/:tab/readers", .signedIn) { try await answer($0, readers) },
            WebRoute(.put, tabs + "/:tab/readers", .signedIn) { try await answer($0, share) },
            WebRoute(.delete, tabs + "/:tab/readers", .signedIn) { try await answer($0, endSharing) },
        ].explaining(Self.explain)
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
            throw Self.noSuchTab
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
        guard (1...200).contains(title.count) else {
            throw Refusal(
                422, "bad-title", "A tab needs a title of at most 200 letters; give it one and save again.")
        }
        guard let base = Int(request.queryParameters["base"] ?? "0"), base >= 0, base < 1 << 40 else {
            throw Self.badVersion
        }
        let id = try Self.tabID(request)
        try PracticeTabContent.check(request.body)
        let change = PracticeTabChange(
            id: id, account: person.id, owner: person.name, title: title,
            content: request.body, isShared: request.queryParameters["shared"] == "1", baseVersion: base)
        switch try await catalogue.savePracticeTab(change, within: .limits(for: person.role)) {
        case .saved(let id, let version): return .json(Saved(id: id, version: version, isCopy: false))
        case .savedAsCopy(let id, let version): return .json(Saved(id: id, version: version, isCopy: true))
        case .tooManyTabs(let most):
            throw Refusal(
                507, "too-many", "You have \(most) tabs on the server, the most there may be; remove some.")
        case .accountFull(let bytes):
            throw Refusal(
                507, "full", "Your tabs fill \(bytes >> 20) MB, the most there may be; remove some.")
        case .storageFull:
            throw Refusal(
                507, "full",
                "The server's space for tabs is full; your tab stays on this device. Ask an administrator.")
        }
    }

    private func remove(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        guard let version = Int(request.queryParameters["version"] ?? "") else {
            throw Self.badVersion
        }
        guard try await catalogue.removePracticeTab(Self.tabID(request), of: person.id, version: version)
        else {
            throw Refusal(
                409, "changed",
                "The tab was changed on another device, so it was not removed; look at it first.")
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
            throw Self.noSuchTab
        }
        return .json(Readers(readers: found.map { .init(name: $0.name, hasArrived: $0.hasArrived) }))
    }

    private func share(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let name = try JSONBody.decode(ReaderRequest.self, from: request.body).name
        switch try await catalogue.sharePracticeTab(Self.tabID(request), of: person.id, with: name) {
        case .shared: return try await readers(request, by: person)
        case .noSuchTab: throw Self.noSuchTab
        case .ownName:
            throw Refusal(409, "yourself", "This is your own name; name the person who is to have the tab.")
        case .tooManyReaders(let most):
            throw Refusal(
                507, "too-many",
                "\(most) people have this tab from you, the most there may be; end it for one of them first.")
        }
    }

    private func endSharing(_ request: WebRequest, by person: WebPerson) async throws -> WebResponse {
        let name = try JSONBody.decode(ReaderRequest.self, from: request.body).name
        guard
            try await catalogue.endSharing(ofPracticeTab: Self.tabID(request), of: person.id, with: name)
        else { throw Self.noSuchTab }
        return try await readers(request, by: person)
    }

    private func answer(
        _ request: WebRequest, _ work: (WebRequest, WebPerson) async throws -> WebResponse
    ) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        return try await work(request, person)
    }

    @Sendable private static func explain(_ error: any Error) -> Refusal {
        guard let error = error as? CatalogueError else {
            return Refusal(400, "bad-request", "The request cannot be used: \(error).")
        }
        return switch error {
        case .invalidAccountName: Refusal(422, "bad-name", error.sentence)
        case .diskFull: Refusal(507, "disk-full", error.sentenceWithoutPath)
        default: Refusal(503, "not-stored", error.sentenceWithoutPath)
        }
    }

    private static let noSuchTab = Refusal(
        404, "no-tab", "There is no such tab; it may have been removed. Look through the list again.")
    private static let badVersion = Refusal(
        400, "bad-version", "Say the version that you have as a whole number.")

    /// The id that the page made: letters, digits and hyphens.
    private static func tabID(_ request: WebRequest) throws -> String {
        let id = request.pathParameters["tab"] ?? ""
        guard (8...40).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw Refusal(400, "bad-id", "A tab's id has 8 to 40 small letters, digits and hyphens.") }
        return id
    }
}
