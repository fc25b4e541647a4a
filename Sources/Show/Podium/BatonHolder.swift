/// The holder of the baton, who decides where the music is. There is always exactly one.
public enum BatonHolder: Hashable, Sendable {
    case automaticFollower
    /// A technician holds the baton; the value is the account name.
    case technician(String)
    /// The conductor's stand holds the baton; the value is the seat name.
    case conductor(String)
    /// A presenter holds the baton; the value is the seat name.
    case presenter(String)

    /// Creates the holder that a person becomes by taking the baton. The kind of holder depends on the person's role.
    public init(_ person: CommandSender) {
        switch person.role {
        case .conductor: self = .conductor(person.name)
        case .presenter: self = .presenter(person.name)
        case .technician, .administrator, .showControl, .automation: self = .technician(person.name)
        }
    }

    /// The kind of holder as it is stored and published: `follower`, `technician`, `conductor` or `presenter`.
    public var kind: String {
        switch self {
        case .automaticFollower: "follower"
        case .technician: "technician"
        case .conductor: "conductor"
        case .presenter: "presenter"
        }
    }

    /// The holder's account or seat name; empty if the follower holds the baton.
    public var name: String {
        switch self {
        case .automaticFollower: ""
        case .technician(let name), .conductor(let name), .presenter(let name): name
        }
    }

    public var isPerson: Bool { self != .automaticFollower }

    /// Nobody can take the baton from a holder of higher rank.
    var rank: Int {
        switch self {
        case .automaticFollower: 0
        case .presenter: 1
        case .conductor: 2
        case .technician: 3
        }
    }
}

/// A holder is encoded as a JSON object with the fields `kind` and `name`.
extension BatonHolder: Codable {
    private enum CodingKeys: CodingKey { case kind, name }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let name = try fields.decodeIfPresent(String.self, forKey: .name) ?? ""
        switch try fields.decode(String.self, forKey: .kind) {
        case "follower": self = .automaticFollower
        case "technician": self = .technician(name)
        case "conductor": self = .conductor(name)
        case "presenter": self = .presenter(name)
        case let kind:
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: fields, debugDescription: "“\(kind)” holds no baton")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(name, forKey: .name)
    }
}
