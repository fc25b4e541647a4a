import Diary
import Foundation
import GRDB

/// What a list shows of an entry. Reading it takes a fraction of the time that the whole entry takes.
public struct ProgrammeOutline: Equatable, Sendable {
    public struct Item: Equatable, Sendable {
        public var kind: ProgrammeItem.Kind
        public var composer: String
        public var title: String
        public var isEncore: Bool
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
        self.init(kind: item.kind, composer: item.composer, title: item.title, isEncore: item.isEncore)
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
    private enum CodingKeys: CodingKey { case kind, composer, title, encore }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decodeIfPresent(ProgrammeItem.Kind.self, forKey: .kind) ?? .work
        composer = try fields.decodeIfPresent(String.self, forKey: .composer) ?? ""
        title = try fields.decodeIfPresent(String.self, forKey: .title) ?? ""
        isEncore = try fields.decodeIfPresent(Bool.self, forKey: .encore) ?? false
    }
}

extension DiaryStore {
    /// Returns the outlines of several entries in the order asked for; those that do not exist are left out.
    public func outlines(_ ids: [String]) async throws(CatalogueError) -> [ProgrammeOutline] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT document FROM programme WHERE id = ?")
            return try ids.compactMap { id in
                try Data.fetchOne(statement, arguments: [id]).map {
                    try Self.decode(ProgrammeOutline.self, $0)
                }
            }
        }
    }
}
