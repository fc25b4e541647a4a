/// The value of a field that people edit on the pages.
enum EntryFieldValue: Codable, Equatable, Sendable {
    struct Work: Codable, Equatable, Sendable {
        var composer: String
        var title: String
    }

    case text(String)
    case flag(Bool)
    case works([Work])
    case performers(EntryPerformers)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .text("")
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let works = try? value.decode([Work].self) {
            self = .works(works)
        } else if let performers = try? value.decode(EntryPerformers.self) {
            self = .performers(performers)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .works(let works): try container.encode(works)
        case .performers(let performers): try container.encode(performers)
        }
    }
}
