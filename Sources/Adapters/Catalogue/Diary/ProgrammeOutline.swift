import Diary
import Foundation
import GRDB

/// The fields of an entry that a list shows. Reading them takes a fraction of the time that the whole entry takes.
public struct ProgrammeOutline: Equatable, Sendable {
    /// An item of the programme in short.
    public struct Item: Equatable, Sendable {
        public var kind: ProgrammeItem.Kind
        public var composer: String
        public var title: String
        public var isEncore: Bool
        public var conductors: [String]
    }

    public var id: String
    public var title: String?
    public var visibility: ConcertProgramme.Visibility
    public var owner: String?
    public var items: [Item]

    public init(_ programme: ConcertProgramme) {
        id = programme.id
        title = programme.title
        visibility = programme.visibility
        owner = programme.owner
        items = programme.items.map(Item.init)
    }
}

extension ProgrammeOutline.Item {
    init(_ item: ProgrammeItem) {
        self.init(
            kind: item.kind, composer: item.composer, title: item.title, isEncore: item.isEncore,
            conductors: item.conductors)
    }
}

/// The names of the fields are those of ``ConcertProgramme`` and ``ProgrammeItem``.
extension ProgrammeOutline: Decodable {
    private enum CodingKeys: CodingKey { case id, title, visibility, owner, items }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        visibility =
            try fields.decodeIfPresent(ConcertProgramme.Visibility.self, forKey: .visibility) ?? .published
        owner = try fields.decodeIfPresent(String.self, forKey: .owner)
        items = try fields.decodeIfPresent([Item].self, forKey: .items) ?? []
    }
}

extension ProgrammeOutline.Item: Decodable {
    private enum CodingKeys: CodingKey { case kind, composer, title, encore, conductors }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decodeIfPresent(ProgrammeItem.Kind.self, forKey: .kind) ?? .work
        composer = try fields.decodeIfPresent(String.self, forKey: .composer) ?? ""
        title = try fields.decodeIfPresent(String.self, forKey: .title) ?? ""
        isEncore = try fields.decodeIfPresent(Bool.self, forKey: .encore) ?? false
        conductors = try fields.decodeIfPresent([String].self, forKey: .conductors) ?? []
    }
}

extension DiaryStore {
    /// A page of concerts with the outlines of their entries, by the entry's id.
    public struct OutlinedPage: Sendable {
        public var page = DiaryPage()
        public var outlines: [String: ProgrammeOutline] = [:]
    }

    /// Answers a question with a page of concerts and the outlines of their entries, newest first.
    public func findOutlined(_ query: DiaryQuery, offset: Int, limit: Int) async throws(CatalogueError)
        -> OutlinedPage
    {
        try await read { db in try Self.outlinedPage(query, offset: offset, limit: limit, db) }
    }

    /// Finds what a text may mean, and the concerts of what it most likely means, all in one transaction.
    /// - Parameters:
    ///   - query: narrows the concerts; its visibilities and owner say which ones count at all.
    ///   - most: the most results of each kind.
    public func search(
        _ text: String, _ query: DiaryQuery, most: Int, offset: Int = 0, limit: Int
    ) async throws(CatalogueError) -> (found: DiarySuggestions, concerts: OutlinedPage) {
        try await read { db in
            let found = try Self.suggestions(for: text, query: query, most: most, db)
            guard text.utf8.count > 1, !FoldedName.words(text).isEmpty else { return (found, OutlinedPage()) }
            return (found, try Self.outlinedPage(found.narrowed(query), offset: offset, limit: limit, db))
        }
    }

    private static func outlinedPage(_ query: DiaryQuery, offset: Int, limit: Int, _ db: Database) throws
        -> OutlinedPage
    {
        let page = try page(query, offset: offset, limit: limit, newestFirst: true, db)
        let statement = try db.cachedStatement(sql: "SELECT document FROM programme WHERE id = ?")
        var outlines: [String: ProgrammeOutline] = [:]
        for concert in page.concerts where outlines[concert.programme] == nil {
            outlines[concert.programme] = try Data.fetchOne(statement, arguments: [concert.programme]).map {
                try decode(ProgrammeOutline.self, $0)
            }
        }
        return OutlinedPage(page: page, outlines: outlines)
    }
}
