/// The address of a recording of a concert on the web, such as a video. Baton loads nothing from it.
public struct RecordingLink: Hashable, Sendable {
    public static let longestBytes = 500
    /// The most links of one concert.
    public static let mostOfConcert = 10

    public let address: String

    /// Parses an address; nil unless it begins with `https://` or `http://`, names a host of letters, digits, dots and
    /// hyphens, and has no user, blank or control character.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longestBytes,
            let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let place = rest.prefix { !"/?#".contains($0) }
        let host = place.prefix { $0 != ":" }
        let port = place.dropFirst(host.count).dropFirst()
        guard host.contains("."), host.first != ".", host.last != ".", !host.contains(".."),
            host.utf8.allSatisfy({ Self.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E }),
            place.contains(":") ? (1...5).contains(port.count) && port.allSatisfy(\.isWholeNumber) : true,
            rest.unicodeScalars.allSatisfy({
                $0.value > 0x20 && $0.value < 0x7F && !"<>\"\\^`{|}".unicodeScalars.contains($0)
            })
        else { return nil }
        address = text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}

extension RecordingLink: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let link = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "“\(text.prefix(60))” is not the address of a recording; write https://…"))
        }
        self = link
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(address)
    }
}
