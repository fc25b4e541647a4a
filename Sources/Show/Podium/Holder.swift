/// Who says where the music is. There is exactly one.
public enum Holder: Hashable, Sendable {
    case follower
    /// By account name.
    case technician(String)
    /// By seat name.
    case conductor(String)
    /// By seat name.
    case presenter(String)

    /// The holder a person becomes by taking the baton.
    public init(_ person: Person) {
        switch person.role {
        case .conductor: self = .conductor(person.name)
        case .presenter: self = .presenter(person.name)
        case .technician, .administrator, .showControl, .automation: self = .technician(person.name)
        }
    }

    /// `follower`, `technician`, `conductor` or `presenter`.
    public var kind: String {
        switch self {
        case .follower: "follower"
        case .technician: "technician"
        case .conductor: "conductor"
        case .presenter: "presenter"
        }
    }

    /// Account or seat name; empty for the follower.
    public var name: String {
        switch self {
        case .follower: ""
        case .technician(let name), .conductor(let name), .presenter(let name): name
        }
    }

    public var isPerson: Bool { self != .follower }

    /// Nobody takes the baton from a higher rank.
    var rank: Int {
        switch self {
        case .follower: 0
        case .presenter: 1
        case .conductor: 2
        case .technician: 3
        }
    }
}

/// Written as kind and name.
extension Holder: Codable {
    private enum CodingKeys: CodingKey { case kind, name }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let name = try fields.decodeIfPresent(String.self, forKey: .name) ?? ""
        switch try fields.decode(String.self, forKey: .kind) {
        case "follower": self = .follower
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
