/// A person who may speak: somebody registered over the network (1…254), or the moderator (0).
public struct FloorPresenter: Hashable, Sendable, Codable, Identifiable {
    /// The number of a presenter; 0 is the moderator, who may present too.
    public struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let moderator = ID(rawValue: 0)
        /// The owner of a file that is still on the screen after its presenter has left.
        static let nobody = ID(rawValue: 255)

        public static func < (lhs: ID, rhs: ID) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    public let id: ID
    public internal(set) var name: String
    /// Tells presenters of the same name apart: 2 or more; nil if the name alone does. It stays the same for as long as
    /// the presenter is registered.
    public internal(set) var nameNumber: Int?
    /// The network address from which the presenter registered; only from there can the number be taken up again after
    /// a lost connection.
    public internal(set) var address: String
    /// Identifies the network connection; nil while there is none.
    public internal(set) var connection: String?
    /// The time at which the connection was lost, in milliseconds of the show; nil while there is one.
    public internal(set) var absentSince: Int64?
    /// The slides that the presenter shows; nil before the first upload.
    public internal(set) var document: FloorDocument.ID?
    /// The page of ``document`` that the presenter showed last, from 1.
    public internal(set) var page = 1
    /// True or nil, so that the state of shows in which nobody has asked for it is written as before.
    private var doNotDisturb: Bool?

    init(id: ID, name: String, address: String, connection: String?) {
        self.id = id
        self.name = name
        self.address = address
        self.connection = connection
    }

    /// True if the presenter does not want to hear of requests while speaking.
    public internal(set) var isDoNotDisturb: Bool {
        get { doNotDisturb ?? false }
        set { doNotDisturb = newValue ? true : nil }
    }

    /// The name as people see it, such as “Anna” and “Anna (2)”.
    public var shownName: String { nameNumber.map { Self.numberedName(name, $0) } ?? name }

    static func numberedName(_ name: String, _ number: Int) -> String { "\(name) (\(number))" }

    /// True if the presenter can be reached: the connection stands, or it is the moderator.
    public var isPresent: Bool { connection != nil || id == .moderator }
}

/// A file that a presenter has uploaded and that is ready to be shown.
public struct FloorDocument: Hashable, Sendable, Codable, Identifiable {
    public enum Kind: String, Hashable, Sendable, Codable { case slides, video }

    /// Identifies the file on the server.
    public let id: String
    public internal(set) var owner: FloorPresenter.ID
    /// The file's name as its owner gave it; empty for slides, which have none.
    public let name: String
    public let kind: Kind
    /// The number of pages; 0 for a video.
    public let pages: Int

    public init(id: String, owner: FloorPresenter.ID, name: String, kind: Kind, pages: Int) {
        self.id = id
        self.owner = owner
        self.name = name
        self.kind = kind
        self.pages = pages
    }
}
